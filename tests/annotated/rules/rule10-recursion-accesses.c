/* Deeper levels of a recursive function access without the lock. */
// verdict: potential
// assume: summary
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events;

static noinline void demo_walk(unsigned int depth)
{
	if (!depth)
		return;
	mutex_lock(&lock);
	events++; // RACE!
	mutex_unlock(&lock);
	if (depth == 2)
		events = 0; // RACE!
	demo_walk(depth - 1);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	demo_walk(cmd);
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
