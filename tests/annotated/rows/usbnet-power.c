/* A USB network adapter sleeps and wakes: the core counts, marks its flags, and has its queue under that one's lock; the rest is the driver's. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>
#include <linux/usb.h>

#include <linux/skbuff.h>

struct usbnet {
	struct usb_device *udev;
	struct usb_interface *intf;
	const void *driver_info;
	void *driver_priv;
	unsigned char suspend_count, pkt_cnt;
	unsigned short rx_qlen, tx_qlen;
	unsigned int in, out;
	void *status;
	struct net_device *net;
	int msg_enable;
	unsigned long data[5];
	unsigned int hard_mtu;
	size_t rx_urb_size;
	struct sk_buff_head txq;
	struct urb *interrupt;
	unsigned int interrupt_count;
	struct mutex interrupt_mutex;
	unsigned long flags;
};
int usbnet_get_endpoints(struct usbnet *dev, struct usb_interface *intf);
int usbnet_suspend(struct usb_interface *intf, int message);
int usbnet_resume(struct usb_interface *intf);

extern struct usb_interface *demo_interface(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct usb_interface *intf = demo_interface();
	struct usbnet *dev = usb_get_intfdata(intf);

	mutex_lock(&lock);
	if (cmd == 0)
		usbnet_get_endpoints(dev, intf); // RACE!
	else if (cmd == 1)
		usbnet_suspend(intf, 0); // RACE!
	else
		usbnet_resume(intf); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct usbnet *dev = usb_get_intfdata(demo_interface());

	mutex_lock(&state_lock);
	dev->data[1] = len; // NORACE
	dev->hard_mtu = len; // NORACE
	dev->driver_priv = NULL; // NORACE
	dev->pkt_cnt = len; // NORACE
	spin_lock(&dev->txq.lock);
	len += dev->txq.qlen; // NORACE
	spin_unlock(&dev->txq.lock);
	len += dev->txq.qlen; // RACE!
	mutex_lock(&dev->interrupt_mutex);
	dev->interrupt_count = 0; // NORACE
	mutex_unlock(&dev->interrupt_mutex);
	dev->interrupt_count = 1; // RACE!
	dev->interrupt = NULL; // RACE!
	len += dev->suspend_count; // RACE!
	len += dev->flags; // RACE!
	dev->msg_enable = len; // RACE!
	dev->rx_urb_size = len; // RACE!
	dev->rx_qlen = len; // RACE!
	dev->tx_qlen = len; // RACE!
	len += dev->out; // RACE!
	dev->in = len; // RACE!
	if (!dev->status) // RACE!
		len = 0;
	len += dev->net->state; // RACE!
	dev->driver_info = NULL; // RACE!
	demo_interface()->num_altsetting = len; // RACE!
	if (!demo_interface()->cur_altsetting) // RACE!
		len = 0;
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
