/* Recursion that drops the lock of the caller and takes it again. */
// verdict: race-free
// assume: summary
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct demo {
	struct mutex lock;
	int events;
	struct demo *next;
};

static DEFINE_MUTEX(big);
static int total;

static noinline void demo_walk(unsigned int n)
{
	total++; // NORACE
	mutex_unlock(&big);
	mutex_lock(&big);
	if (n)
		demo_walk(n - 1);
	total--; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&big);
	demo_walk(cmd);
	total = 0; // NORACE
	mutex_unlock(&big);
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
