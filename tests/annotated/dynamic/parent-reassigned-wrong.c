/* Who moves a child to another parent holds the locks of both, but who locks has read the parent before. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct parent {
	struct mutex lock;
};

struct child {
	struct parent *parent;
	struct parent *other;
	int events;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct child *child = file->private_data;
	struct parent *parent = READ_ONCE(child->parent);

	mutex_lock(&parent->lock);
	child->events++; // RACE!
	mutex_unlock(&parent->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct child *child = file->private_data;
	struct parent *from = READ_ONCE(child->parent), *to = child->other;

	mutex_lock(&from->lock);
	mutex_lock(&to->lock);
	WRITE_ONCE(child->parent, to);
	mutex_unlock(&to->lock);
	mutex_unlock(&from->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
