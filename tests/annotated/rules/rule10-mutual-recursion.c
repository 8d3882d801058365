/* Two functions that call each other; the second gives the lock back. */
// verdict: race-free
// assume: summary
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events;

static noinline void demo_odd(unsigned int depth);

static noinline void demo_even(unsigned int depth)
{
	if (depth)
		demo_odd(depth - 1);
}

static noinline void demo_odd(unsigned int depth)
{
	mutex_unlock(&lock);
	if (depth)
		demo_even(depth - 1);
	mutex_lock(&lock);
	events++; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	demo_even(cmd);
	events++; // NORACE
	mutex_unlock(&lock);
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
