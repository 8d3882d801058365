/* All elements go from one list to the other, over a list on the stack. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/list.h>

struct item {
	struct list_head list;
	struct list_head other;
	int data;
};

static LIST_HEAD(a);
static LIST_HEAD(b);
static DEFINE_MUTEX(la);
static DEFINE_MUTEX(lb);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *item, *n;
	(void)item; (void)n;
	item = kzalloc(sizeof(*item), GFP_KERNEL);
	if (!item)
		return -ENOMEM;
	item->data = 1;
	LIST_HEAD(tmp);
	list_add(&item->list, &a); // RACE!
	list_splice_init(&a, &tmp); // RACE!
	list_splice(&tmp, &b); // RACE!

	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item;

	mutex_lock(&la);
	list_for_each_entry(item, &a, list) // RACE!
		item->data++; // RACE!
	mutex_unlock(&la);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *item;

	mutex_lock(&lb);
	list_for_each_entry(item, &b, list) // RACE!
		item->data--; // RACE!
	mutex_unlock(&lb);
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
