/* Whether an endpoint is of the right kind: where endpoints are and what kind they have is read, nothing else. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct usb_endpoint_descriptor { u8 bLength, bDescriptorType, bEndpointAddress, bmAttributes; u16 wMaxPacketSize; };
struct usb_host_endpoint { struct usb_endpoint_descriptor desc; int enabled; };
struct usb_device { int devnum; struct usb_host_endpoint *ep_in[16], *ep_out[16]; int level; };
struct urb { struct usb_device *dev; unsigned int pipe; int status; void *context; };
int usb_pipe_type_check(struct usb_device *dev, unsigned int pipe);
int usb_urb_ep_type_check(const struct urb *urb);
extern struct usb_device *demo_device(void);
extern struct urb *demo_urb(void);

struct demo { int n; };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return usb_pipe_type_check(demo_device(), 1); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	return usb_urb_ep_type_check(demo_urb()); // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct usb_device *dev = demo_device();
	struct urb *urb = demo_urb();
	struct demo *demo = urb->context;

	WRITE_ONCE(demo->n, 1); // NORACE
	WRITE_ONCE(dev->devnum, 1); // NORACE
	WRITE_ONCE(urb->status, 1); // NORACE
	WRITE_ONCE(urb->dev, dev); // RACE!
	WRITE_ONCE(urb->pipe, cmd); // RACE!
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	WRITE_ONCE(demo_device()->ep_in[3], NULL); // RACE!
	return 0;
}

static int demo_mmap(struct file *file, struct vm_area_struct *area)
{
	WRITE_ONCE(demo_device()->ep_out[3], NULL); // RACE!
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct usb_device *dev = demo_device();
	struct usb_host_endpoint *endpoint = READ_ONCE(dev->ep_out[5]);

	WRITE_ONCE(endpoint->desc.bmAttributes, 2); // RACE!
	WRITE_ONCE(endpoint->desc.wMaxPacketSize, 64); // NORACE
	WRITE_ONCE(endpoint->enabled, 1); // NORACE
	return 0;
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
