/* A child may change its parent. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct parent {
	struct mutex lock;
};

struct child {
	struct parent *parent;
	int events;
};

static struct parent main_parent;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct child *child = file->private_data;

	if (cmd)
		WRITE_ONCE(child->parent, &main_parent);
	mutex_lock(&READ_ONCE(child->parent)->lock);
	child->events++; // RACE!
	mutex_unlock(&READ_ONCE(child->parent)->lock);
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
