/* A device's lock; every form excludes every other one. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/device.h>

static struct device the_device;
#define dev (&the_device)
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		device_lock(dev);
		events++; // NORACE
		device_unlock(dev);
		break;
	case 1:
		if (device_lock_interruptible(dev))
			return -EBUSY;
		events++; // NORACE
		device_unlock(dev);
		break;
	case 2:
		if (!device_trylock(dev))
			return -EBUSY;
		events++; // NORACE
		device_unlock(dev);
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
