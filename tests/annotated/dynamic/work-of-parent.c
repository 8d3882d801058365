/* A work in a child leads over its parent pointer to the lock. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
};

struct child {
	struct demo *parent;
	struct work_struct first, second;
	int runs;
};

static void child_first(struct work_struct *work)
{
	struct child *child = container_of(work, struct child, first);

	mutex_lock(&child->parent->lock);
	child->runs++; // NORACE
	mutex_unlock(&child->parent->lock);
}

static void child_second(struct work_struct *work)
{
	struct child *child = container_of(work, struct child, second);

	mutex_lock(&child->parent->lock);
	child->runs = 0; // NORACE
	mutex_unlock(&child->parent->lock);
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct child *child = kzalloc(sizeof(*child), GFP_KERNEL);
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!child || !demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	child->parent = demo;
	INIT_WORK(&child->first, child_first);
	INIT_WORK(&child->second, child_second);
	file->private_data = child;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct child *child = file->private_data;

	schedule_work(cmd ? &child->first : &child->second);
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
