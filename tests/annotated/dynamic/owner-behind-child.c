/* A child belongs to one object only, and its data are under the lock of that object. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct child {
	int events;
};

struct demo {
	spinlock_t lock;
	struct child *child;
};

static struct child *spare;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	demo->child = kzalloc(sizeof(*demo->child), GFP_KERNEL);
	file->private_data = demo;
	return 0;
}

static noinline void child_count(struct child *child)
{
	if (child)
		child->events++; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	spin_lock(&demo->lock);
	child_count(demo->child);
	spin_unlock(&demo->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
