/* The error is kept in one byte, of which some are zero. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(lock);
static int events, others;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int err = mutex_lock_interruptible(&lock);
	unsigned char low = err >> 8;

	if (low)
		return err;
	events++; // RACE: an interrupted lock gives EINTR, of which the model knows only the sign
	mutex_unlock(&lock);
	low = mutex_trylock(&lock) >> 1;
	if (low)
		return -EBUSY;
	others++; // RACE!
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
