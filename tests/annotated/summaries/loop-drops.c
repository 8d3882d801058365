/* A summarized procedure drops the lock of its caller in a loop. */
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

static noinline void demo_wait(struct demo *demo, int n)
{
	for (int i = 0; i < n; i++) {
		demo->events++; // RACE!
		if (i == 1)
			mutex_unlock(&demo->lock);
	}
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	demo_wait(demo, cmd);
	demo->events--; // RACE!
	mutex_unlock(&demo->lock);
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
