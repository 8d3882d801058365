/* Under one lock only. */
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

static LIST_HEAD(waiting);
static LIST_HEAD(done);
static DEFINE_SPINLOCK(waiting_lock);
static DEFINE_SPINLOCK(done_lock);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	spin_lock(&waiting_lock);
	list_add(&item->list, &waiting); // RACE: lists between which elements move are one region
	spin_unlock(&waiting_lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item;

	spin_lock(&waiting_lock);
	if (!list_empty(&waiting)) { // NORACE
		item = list_first_entry(&waiting, struct item, list); // NORACE
		item->data = arg; // RACE!
		list_move(&item->list, &done); // RACE!
	}
	spin_unlock(&waiting_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *item;

	spin_lock(&done_lock);
	list_for_each_entry(item, &done, list) // RACE!
		item->data--; // RACE!
	spin_unlock(&done_lock);
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
