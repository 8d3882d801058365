/* Holders move by one place, and leave a copy behind. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

struct item {
	int a;
	};
	struct hold { spinlock_t lock;
	struct item *x;
};

static struct hold tab[4];

static int demo_open(struct inode *inode, struct file *file)
{
	struct item *n = kzalloc(sizeof(*n), GFP_KERNEL);
	memmove(&tab[1], &tab[0], 3 * sizeof(tab[0])); // RACE!
	tab[0].x = n; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct hold *h = &tab[cmd & 3];
	spin_lock(&h->lock);
	h->x->a = 1; // RACE!
	spin_unlock(&h->lock);
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
