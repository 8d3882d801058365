/* The function that gives the lock back is called through a pointer. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

struct demo_ops {
	void (*before)(void);
	void (*after)(void);
};

static DEFINE_SPINLOCK(g);
static int events;

static void demo_nothing(void)
{
}

static void demo_release(void)
{
	spin_unlock(&g);
}

static struct demo_ops demo_ops[2] = {
	{ demo_nothing, demo_nothing },
	{ demo_release, demo_nothing },
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spin_lock(&g);
	demo_ops[cmd & 1].before();
	events++; // RACE!
	demo_ops[cmd & 1].after();
	spin_unlock(&g);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
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
