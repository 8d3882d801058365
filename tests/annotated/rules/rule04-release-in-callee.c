/* A function that is called gives the lock of its parameter back. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(g);
static int events;

static noinline void demo_pause(spinlock_t *lock)
{
	spin_unlock(lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spin_lock(&g);
	demo_pause(&g);
	events++; // RACE!
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
