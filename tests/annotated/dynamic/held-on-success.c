/* A function holds the lock if it gives 0, and another if it gives an object. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events;
	int users;
};

static struct demo demos[4];

static noinline int demo_enter(struct demo *demo)
{
	mutex_lock(&demo->lock);
	if (demo->users > 5) { // NORACE
		mutex_unlock(&demo->lock);
		return -EBUSY;
	}
	return 0;
}

static noinline struct demo *demo_find(unsigned int which)
{
	struct demo *demo;

	if (which > 3)
		return NULL;
	demo = &demos[which];
	mutex_lock(&demo->lock);
	if (demo->users > 5) { // NORACE
		mutex_unlock(&demo->lock);
		return NULL;
	}
	return demo;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = demo_find(cmd);

	if (!demo)
		return -EINVAL;
	demo->events++; // NORACE
	mutex_unlock(&demo->lock);
	demo = &demos[arg & 3];
	if (demo_enter(demo))
		return -EBUSY;
	demo->users++; // NORACE
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
