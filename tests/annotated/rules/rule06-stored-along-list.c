/* All holders on a list get one item. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct item {
	int a;
	int b;
};

struct demo {
	spinlock_t lock;
	struct item *item;
	struct demo *next;
};

static struct demo *first;

static int demo_open(struct inode *inode, struct file *file)
{
	struct item *it = kzalloc(sizeof(*it), GFP_KERNEL);
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL), *p;
	d->next = first; // RACE!
	first = d; // RACE!
	for (p = first; p; p = p->next) // RACE!
		p->item = it; // RACE!
	file->private_data = d;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *d = file->private_data;
	spin_lock(&d->lock);
	d->item->a++; // RACE!
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
