/* Pointers that travel in a struct of two registers: the lock is the right one. */
// verdict: race-free
// assume: arbitrary-value
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct span {
	int *start;
	long length;
};

static DEFINE_MUTEX(lock);
static int first, second;

static noinline struct span pick(long which)
{
	struct span of_first = { &first, 1 }, of_second = { &second, which };

	return which == 1 ? of_first : of_second;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct span span;

	mutex_lock(&lock);
	span = pick(arg);
	*span.start = cmd; // NORACE
	first++; // NORACE
	mutex_unlock(&lock);
	return span.length;
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
