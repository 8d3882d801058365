/* Only positive results are taken for errors. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/err.h>

struct demo {
	struct mutex lock;
	int events;
};

static struct demo demos[4];

static noinline struct demo *demo_get(unsigned int which)
{
	struct demo *demo = &demos[which & 3];
	int err = mutex_lock_killable(&demo->lock);

	return err > 0 ? ERR_PTR(-EINTR) : demo;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = demo_get(cmd);

	if (IS_ERR(demo))
		return PTR_ERR(demo);
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
