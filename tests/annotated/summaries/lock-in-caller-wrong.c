/* The caller does not lock; the access is in a procedure that is summarized and gets the object. */
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

static noinline void demo_count(struct demo *demo, int by)
{
	demo->events += by; // RACE!
}

static noinline void demo_handle(struct demo *demo, int cmd)
{
	if (cmd > 3)
		demo_count(demo, cmd);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	demo_handle(demo, cmd);
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
