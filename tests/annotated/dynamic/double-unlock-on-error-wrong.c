/* A callee that fails gives the lock back; its caller counts that and gives it back again. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events, failed, last;
};

static noinline int demo_step(struct demo *demo, unsigned int cmd)
{
	demo->events++;
	if (cmd > 7) {
		demo->failed++; // RACE!
		mutex_unlock(&demo->lock);
		return -EINVAL;
	}
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	int err;

	mutex_lock(&demo->lock);
	err = demo_step(demo, cmd);
	if (err)
		goto out;
	demo->last = cmd; // NORACE
out:
	if (err)
		demo->failed++; // RACE!
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
