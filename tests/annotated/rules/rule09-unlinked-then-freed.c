/* Whoever took the pointer away is the only one to have it: the free needs no lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int events;
};

static DEFINE_MUTEX(lock);
static struct demo *common;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	if (common) // NORACE
		common->events++; // RACE: what is unlinked under a lock is not known to have one owner
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo;

	mutex_lock(&lock);
	demo = common; // NORACE
	common = NULL; // NORACE
	mutex_unlock(&lock);
	kfree(demo); // RACE: as above
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
