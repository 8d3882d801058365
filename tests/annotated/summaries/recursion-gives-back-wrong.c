/* The lock is given back somewhere down a recursion. */
// verdict: potential
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

static noinline void demo_give(struct demo *demo, unsigned int n)
{
	if (n)
		demo_give(demo, n - 1);
	else
		mutex_unlock(&demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	demo->events++; // RACE!
	demo_give(demo, cmd);
	demo->events--; // RACE!
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
