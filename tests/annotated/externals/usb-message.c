/* A USB message has a buffer. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/usb.h>

static DEFINE_MUTEX(lock);
static struct usb_device *udev;
static u8 buffer[32];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int n;

	mutex_lock(&lock);
	usb_bulk_msg(udev, cmd, buffer, 32, &n, HZ); // NORACE
	usb_control_msg_send(udev, 0, 1, 2, 3, 4, buffer, 32, HZ, GFP_KERNEL); // NORACE
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
