/* Where an adapter on USB finds its devices is settled before its driver gets it: unknown code does not change that. */
// verdict: potential
// assume: settled
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct usb_device;
struct usb_interface;
struct net_device;
struct usbnet {
	struct usb_device *udev;
	struct usb_interface *intf;
	const char *driver_name;
	struct net_device *net;
	unsigned long data[5], flags;
};
void usbnet_unknown(struct usbnet *dev);
extern struct usbnet *demo_find(void);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	usbnet_unknown(demo_find()); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct usbnet *dev = demo_find();
	bool all = dev->udev && // NORACE
		   dev->intf && // NORACE
		   dev->net && // NORACE
		   dev->driver_name; // NORACE

	return all + dev->data[1]; // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
