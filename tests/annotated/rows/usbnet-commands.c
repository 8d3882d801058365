/* Commands to network adapters on USB: data is copied; the adapter's flags are changed atomically; packets go to the stack. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>
#include <linux/netdevice.h>

struct usb_device;
struct usb_interface;
struct usbnet {
	struct usb_device *udev;
	struct usb_interface *intf;
	void *driver_priv;
	struct net_device *net;
	int msg_enable;
	unsigned long data[5], flags;
};
int usbnet_read_cmd(struct usbnet *dev, u8 cmd, u8 type, u16 value, u16 index, void *data, u16 n);
int usbnet_read_cmd_nopm(struct usbnet *dev, u8 cmd, u8 type, u16 value, u16 index, void *data, u16 n);
int usbnet_write_cmd(struct usbnet *dev, u8 cmd, u8 type, u16 value, u16 index, const void *data, u16 n);
int usbnet_write_cmd_nopm(struct usbnet *dev, u8 cmd, u8 type, u16 value, u16 index, const void *data, u16 n);
int usbnet_write_cmd_async(struct usbnet *dev, u8 cmd, u8 type, u16 value, u16 index, const void *data, u16 n);
void usbnet_link_change(struct usbnet *dev, bool link, bool reset);
void usbnet_defer_kevent(struct usbnet *dev, int work);
void usbnet_skb_return(struct usbnet *dev, struct sk_buff *skb);

struct demo { int n; };
extern struct usbnet *demo_find(void);
extern struct sk_buff *demo_skb(void);
static DEFINE_MUTEX(lock);
static u8 read1[4], read2[4], sent1[4], sent2[4], sent3[4], guarded[4];

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct usbnet *dev = demo_find();
	struct demo *demo = dev->driver_priv;
	u8 own[4];

	usbnet_read_cmd(dev, 1, 2, 3, 4, own, sizeof(own)); // NORACE
	usbnet_write_cmd_async(dev, 1, 2, 3, 4, own, sizeof(own)); // NORACE
	mutex_lock(&lock);
	demo->n += own[0]; // NORACE
	usbnet_read_cmd(dev, 1, 2, 3, 4, guarded, sizeof(guarded)); // NORACE
	mutex_unlock(&lock);
	usbnet_read_cmd(dev, 1, 2, 3, 4, read1, sizeof(read1)); // RACE!
	usbnet_read_cmd_nopm(dev, 1, 2, 3, 4, read2, sizeof(read2)); // RACE!
	usbnet_write_cmd(dev, 1, 2, 3, 4, sent1, sizeof(sent1)); // RACE!
	usbnet_write_cmd_nopm(dev, 1, 2, 3, 4, sent2, sizeof(sent2)); // RACE!
	usbnet_write_cmd_async(dev, 1, 2, 3, 4, sent3, sizeof(sent3)); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = demo_find()->driver_priv;

	mutex_lock(&lock);
	demo->n = guarded[1]; // NORACE
	mutex_unlock(&lock);
	WRITE_ONCE(sent1[0], 1); // RACE!
	WRITE_ONCE(sent2[0], 1); // RACE!
	WRITE_ONCE(sent3[0], 1); // RACE!
	return read1[0] + // RACE!
	       read2[0]; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct usbnet *dev = demo_find();

	usbnet_link_change(dev, true, false); // RACE!
	usbnet_defer_kevent(dev, 4); // RACE!
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct usbnet *dev = demo_find();

	WRITE_ONCE(dev->data[1], 1); // NORACE
	return dev->flags + // RACE!
	       dev->net->state; // RACE!
}

static int demo_mmap(struct file *file, struct vm_area_struct *area)
{
	usbnet_skb_return(demo_find(), demo_skb()); // RACE!
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	return demo_skb()->len; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.release = demo_release,
	.mmap = demo_mmap,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
