/* It gives true on one path on which it does not. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events;
	int ready;
};

static noinline bool demo_try(struct demo *demo, int how)
{
	if (how == 1)
		return mutex_trylock(&demo->lock);
	if (how == 2)
		return mutex_lock_interruptible(&demo->lock);
	if (how == 3)
		return false;
	mutex_lock(&demo->lock);
	return true;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	if (!demo_try(demo, cmd))
		return -EAGAIN;
	demo->events++; // RACE!
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
