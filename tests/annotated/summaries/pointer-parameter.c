/* A summarized procedure calls what it is passed, under the lock; another function with the same parameters, that is
 * called without the lock, is passed to nobody. */
// verdict: race-free
// inline-limit: 0
// assume: summary
// assume: indirect-call
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	struct mutex lock;
	int events;
	int resets;
};

struct demo_ops {
	void (*peek)(struct demo *);
};

static void demo_count(struct demo *demo)
{
	demo->events++; // NORACE
}

static void demo_peek(struct demo *demo)
{
	mutex_unlock(&demo->lock);
	mutex_lock(&demo->lock);
}

static const struct demo_ops demo_ops = { .peek = demo_peek };
static const struct demo_ops *ops = &demo_ops;

static noinline void call(struct demo *demo, void (*fn)(struct demo *))
{
	fn(demo);
}

static noinline void call_some(struct demo *demo, int times)
{
	for (int i = 0; i < times; i++)
		call(demo, demo_count);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	int events;

	mutex_lock(&demo->lock);
	events = demo->events; // NORACE
	call_some(demo, cmd);
	demo->resets += demo->events - events; // NORACE
	mutex_unlock(&demo->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	ops->peek(demo);
	mutex_unlock(&demo->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
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
