/* Each object has a list of items under its lock; an item is reached through a node of another object's list. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/list.h>

struct demo {
	struct mutex lock;
	struct list_head items;
	struct demo *peer;
};

struct item {
	struct list_head list;
	int uses;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	struct demo *owner = cmd ? demo : demo->peer;
	struct item *item;

	mutex_lock(&demo->lock);
	list_for_each_entry(item, &owner->items, list)
		item->uses++; // RACE!
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
