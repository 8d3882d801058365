/* Two objects are locked in the order of their addresses; both are written. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	struct demo *peer;
	int events;
};

static void lock_both(struct demo *a, struct demo *b)
{
	struct demo *first = a < b ? a : b, *second = a < b ? b : a;

	mutex_lock(&first->lock);
	if (first != second)
		mutex_lock(&second->lock);
}

static void unlock_both(struct demo *a, struct demo *b)
{
	mutex_unlock(&a->lock);
	if (a != b)
		mutex_unlock(&b->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data, *peer = demo->peer;

	lock_both(demo, peer);
	demo->events++; // NORACE
	peer->events--; // NORACE
	unlock_both(demo, peer);
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
