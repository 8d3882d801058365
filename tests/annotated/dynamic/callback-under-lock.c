/* The lock is held while a function is called that is passed by a pointer; it gets the object. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events;
	int resets;
};

static void demo_count(struct demo *demo)
{
	demo->events++; // NORACE
}

static void demo_reset(struct demo *demo)
{
	demo->events = 0; // NORACE
}

static noinline void with_lock(struct demo *demo, void (*fn)(struct demo *))
{
	mutex_lock(&demo->lock);
	fn(demo);
	mutex_unlock(&demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	with_lock(demo, cmd ? demo_count : demo_reset);
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
