/* Two items have one leaf, and each item is in one holder. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct leaf {
	int a;
};

struct item {
	struct leaf *leaf;
};

struct demo {
	spinlock_t lock;
	struct item *item;
};

static struct demo *first;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);
	struct item *it = kzalloc(sizeof(*it), GFP_KERNEL);
	struct leaf *l = kzalloc(sizeof(*l), GFP_KERNEL);
	it->leaf = l;
	d->item = it;
	if (first) { // RACE!
		struct item *other = kzalloc(sizeof(*other), GFP_KERNEL);

		other->leaf = l;
		first->item = other; // RACE!
	}
	first = d; // RACE!
	file->private_data = d;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *d = file->private_data;
	spin_lock(&d->lock);
	d->item->leaf->a++; // RACE!
	spin_unlock(&d->lock);
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
