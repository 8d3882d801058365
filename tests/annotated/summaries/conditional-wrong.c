/* A summarized procedure holds the lock if it returns zero; the caller goes on after errors too. */
// verdict: potential
// inline-limit: 0
// assume: summary
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct demo {
	struct mutex lock;
	int events;
	struct demo *next;
};

static noinline int demo_enter(struct demo *demo)
{
	int err = mutex_lock_interruptible(&demo->lock);

	if (err)
		return err;
	if (demo->events > 100) { // RACE!
		mutex_unlock(&demo->lock);
		return -EBUSY;
	}
	return 0;
}

static noinline void demo_leave(struct demo *demo)
{
	mutex_unlock(&demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	int err = demo_enter(demo);

	if (err == -EAGAIN)
		return err;
	demo->events++; // RACE!
	demo_leave(demo);
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
