/* A list and its elements under one lock. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/list.h>
#include <linux/slab.h>

struct item {
	struct list_head list;
	int uses;
};

static DEFINE_MUTEX(lock);
static LIST_HEAD(items);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item;

	mutex_lock(&lock);
	list_for_each_entry(item, &items, list) // NORACE
		item->uses++; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	item->uses = 1; // NORACE
	mutex_lock(&lock);
	list_add(&item->list, &items); // NORACE
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
