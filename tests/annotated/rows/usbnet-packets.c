/* What adapters on USB give to the stack is the stack's; which adapter it is for is read. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/skbuff.h>
#include <linux/netdevice.h>

struct usb_device;
struct usb_interface;
struct usbnet {
	struct usb_device *udev;
	struct usb_interface *intf;
	struct net_device *net;
	int msg_enable;
	unsigned long data[5], flags;
};
int usbnet_read_cmd(struct usbnet *dev, u8 cmd, u8 type, u16 value, u16 index, void *data, u16 n);
void usbnet_skb_return(struct usbnet *dev, struct sk_buff *skb);
extern struct usbnet *demo_find(void);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct usbnet *dev = demo_find();
	struct sk_buff *skb = dev_alloc_skb(64);

	if (!skb)
		return -ENOMEM;
	skb->len = 1; // NORACE
	usbnet_skb_return(dev, skb); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	return usbnet_read_cmd(demo_find(), 1, 2, 3, 4, NULL, 0); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct usbnet *dev = demo_find();

	WRITE_ONCE(dev->msg_enable, 1); // RACE!
	WRITE_ONCE(dev->intf, NULL); // RACE!
	WRITE_ONCE(dev->udev, NULL); // RACE!
	WRITE_ONCE(dev->data[1], 1); // NORACE
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
