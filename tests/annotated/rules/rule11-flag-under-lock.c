/* A flag that is set and tested under a lock lets one call in. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int busy, events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	if (busy) { // NORACE
		mutex_unlock(&lock);
		return -EBUSY;
	}
	busy = 1; // NORACE
	mutex_unlock(&lock);
	events++; // NORACE
	mutex_lock(&lock);
	busy = 0; // NORACE
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
