/* A USB device's lock; every form excludes every other one. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/usb.h>

static struct usb_device the_device;
#define udev (&the_device)
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		usb_lock_device(udev);
		events++; // NORACE
		usb_unlock_device(udev);
		break;
	case 1:
		if (usb_lock_device_for_reset(udev, NULL))
			return -EBUSY;
		events++; // NORACE
		usb_unlock_device(udev);
		break;
	}
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
