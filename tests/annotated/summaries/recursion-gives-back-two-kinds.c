/* One helper gives back locks of two kinds down a recursion: knowing one kind says nothing of the other. */
// verdict: potential
// assume: summary
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct part {
	int flags;
	struct mutex lock;
	int events;
	struct part *next;
};

struct demo {
	struct mutex lock;
	int events;
	struct demo *next;
	struct part *part;
};

static inline void demo_give(struct mutex *lock)
{
	mutex_unlock(lock);
}

static noinline void demo_end(struct demo *demo, struct part *part, unsigned int n)
{
	if (n > 1)
		demo_end(demo->next, part->next, n - 1);
	if (n == 2)
		demo_give(&demo->lock);
	if (n == 1)
		demo_give(&part->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	struct part *part = demo->part->next;

	mutex_lock(&part->lock);
	part->events++; // RACE!
	demo_end(demo, demo->part, 10);
	part->events--; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct demo *demo = file->private_data;
	struct demo *next = demo->next;

	mutex_lock(&next->lock);
	next->events++; // RACE!
	demo_end(demo, demo->part, 10);
	next->events--; // RACE!
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
