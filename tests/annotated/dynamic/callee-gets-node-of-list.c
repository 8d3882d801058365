/* A list per object, under the lock of the object; the callee gets a node of that list, with its owner. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/list.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	struct list_head items;
};

struct item {
	struct demo *owner;
	struct list_head list;
	int uses;
};

static noinline void item_use(struct list_head *node)
{
	struct item *item = list_entry(node, struct item, list);

	item->uses++; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = file->private_data;
	struct demo *owner = item->owner;

	mutex_lock(&owner->lock);
	item_use(&item->list);
	mutex_unlock(&owner->lock);
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
