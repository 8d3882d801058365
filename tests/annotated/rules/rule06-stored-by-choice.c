/* One item may go to a holder that is chosen, and then to another. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct item {
	int a;
	};
	struct demo { spinlock_t lock;
	struct item *x;
};

static struct demo *d, *e;

static int demo_open(struct inode *inode, struct file *file)
{
	struct item *n = kzalloc(sizeof(*n), GFP_KERNEL);
	struct demo *h = file->f_flags ? d : e;
	h->x = n; // RACE!
	if (file->f_flags & 4) {
		h = d;
		h->x = n; // RACE!
	}
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *h = cmd ? d : e;
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
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	e = kzalloc(sizeof(*d), GFP_KERNEL);
	return misc_register(&demo_misc);
}
module_init(demo_init);
