/* The holder is assigned to another. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct item {
	int a;
	int b;
	struct list_head list;
};

struct demo {
	struct mutex lock;
	struct item *item;
	struct item *other;
};

static struct demo spare;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!demo || !item)
		return -ENOMEM;
	demo->item = item;
	spare = *demo; // RACE!
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	if (demo->item)
		demo->item->b = 3; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&spare.lock); // RACE!
	if (spare.item) // RACE!
		spare.item->b = 3; // RACE!
	mutex_unlock(&spare.lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
