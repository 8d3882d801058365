/* The lock is taken in each round, and the round may end early in several ways. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	int i;

	for (i = 0; i < cmd; i++) {
		if (mutex_lock_interruptible(&demo->lock))
			break;
		if (demo->events > 100) { // NORACE
			mutex_unlock(&demo->lock);
			continue;
		}
		if (i == arg) {
			mutex_unlock(&demo->lock);
			return -EINVAL;
		}
		demo->events++; // NORACE
		mutex_unlock(&demo->lock);
	}
	return i;
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
