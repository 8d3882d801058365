/* One list is walked under the lock of the other. */
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

static LIST_HEAD(even);
static LIST_HEAD(odd);
static DEFINE_SPINLOCK(even_lock);
static DEFINE_SPINLOCK(odd_lock);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	item->data = len; // NORACE
	if (len & 1) {
		spin_lock(&odd_lock);
		list_add(&item->list, &odd); // NORACE
		spin_unlock(&odd_lock);
	} else {
		spin_lock(&even_lock);
		list_add_tail(&item->list, &even); // RACE!
		spin_unlock(&even_lock);
	}
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item;

	spin_lock(&even_lock);
	list_for_each_entry(item, &even, list) // NORACE
		item->data++; // RACE!
	spin_unlock(&even_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *item;

	spin_lock(&odd_lock);
	list_for_each_entry(item, &even, list) // RACE!
		item->data--; // RACE!
	spin_unlock(&odd_lock);
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
