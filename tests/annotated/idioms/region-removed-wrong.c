/* He takes it off without the lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/list.h>

struct item {
	struct list_head list;
	int data;
};

static LIST_HEAD(items);
static DEFINE_SPINLOCK(lock);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	spin_lock(&lock);
	list_add_tail(&item->list, &items); // RACE!
	spin_unlock(&lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = NULL;

	spin_lock(&lock);
	if (!list_empty(&items)) { // RACE!
		item = list_first_entry(&items, struct item, list); // RACE!
	}
	spin_unlock(&lock);
	if (item) {
		list_del(&item->list); // RACE!
		item->data = arg; // RACE!
		kfree(item); // RACE!
	}
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *item;

	spin_lock(&lock);
	list_for_each_entry(item, &items, list) // RACE!
		item->data--; // RACE!
	spin_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.write = demo_write,
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
