/* A helper drops the lock and takes it again; if it fails, it does not, and says so. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/wait.h>

struct demo {
	struct mutex lock;
	int events;
};

static noinline int demo_wait(struct demo *demo)
{
	mutex_unlock(&demo->lock);
	schedule();
	return mutex_lock_interruptible(&demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	int err;

	mutex_lock(&demo->lock);
	demo->events++; // NORACE
	err = demo_wait(demo);
	if (err)
		return err;
	demo->events--; // NORACE
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
