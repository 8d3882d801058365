/* A function that is called for every child runs in the caller's thread, with its locks. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/device.h>
#include <linux/mutex.h>

static struct device parent;
static DEFINE_MUTEX(lock);
static int unlocked;

static int demo_count(struct device *dev, void *data)
{
	int *n = data;

	*n += 1; // NORACE
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int n = 0;

	device_for_each_child(&parent, &n, demo_count);
	unlocked = n; // RACE!
	return n;
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
