/* The second list node in an item is taken for the first: what is written is the next member. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

struct item {
	spinlock_t lock;
	int first;
	int second;
	int third;
};

static struct item *item_of_first(int *first)
{
	return container_of(first, struct item, first);
}

static noinline void item_bump(int *first)
{
	item_of_first(first)->second++; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = file->private_data;

	spin_lock(&item->lock);
	item_bump(&item->first);
	spin_unlock(&item->lock);
	item_bump(&item->second);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *item = file->private_data;

	spin_lock(&item->lock);
	len = item->third; // RACE!
	spin_unlock(&item->lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
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
