/* Children are protected by the lock of the parent that they point to. */
// verdict: race-free
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

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct child *child = file->private_data;

	mutex_lock(&child->parent->lock);
	child->events++; // NORACE
	mutex_unlock(&child->parent->lock);
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
