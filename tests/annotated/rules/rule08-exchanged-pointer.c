/* The fresh object is published by an atomic exchange, and by a compare-and-exchange. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct demo {
	int events;
};

static struct demo *first, *second;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *a = kzalloc(sizeof(*a), GFP_KERNEL);
	struct demo *b = kzalloc(sizeof(*b), GFP_KERNEL);
	struct demo *none = NULL;

	if (!a || !b)
		return -ENOMEM;
	__atomic_exchange_n(&first, a, __ATOMIC_SEQ_CST);
	__atomic_compare_exchange_n(&second, &none, b, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	a->events = 1; // RACE!
	b->events = 1; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = cmd ? READ_ONCE(first) : READ_ONCE(second);

	if (demo)
		demo->events++; // RACE!
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
