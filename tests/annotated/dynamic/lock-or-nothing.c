/* An object without lock pointer is shared with nobody; else the lock is behind the pointer. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t *lock;
	int events;
};

static DEFINE_SPINLOCK(common_lock);
static struct demo common = { .lock = &common_lock };

static noinline void demo_count(struct demo *demo)
{
	if (demo->lock)
		spin_lock(demo->lock);
	demo->events++; // NORACE
	if (demo->lock)
		spin_unlock(demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo own = { .lock = NULL };

	demo_count(&own);
	demo_count(&common);
	return own.events;
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
