/* Pointers that travel in a struct of two registers: to globals, and to what a thread has made itself. */
// verdict: potential
// assume: arbitrary-value
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct object {
	int value;
};

struct span {
	int *start;
	long length;
};

struct holder {
	struct object *object;
	long length;
};

static struct object *shared;
static int first, second;

static noinline struct span pick(long which)
{
	struct span of_first = { &first, 1 }, of_second = { &second, which };

	return which == 1 ? of_first : of_second;
}

static noinline struct span constant(void)
{
	struct span span = { &second, 1 };

	return span;
}

static noinline struct holder hold(struct object *object, long n)
{
	struct holder holder = { object, n };

	return holder;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return READ_ONCE(shared)->value + // RACE!
		first + // RACE!
		second; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct object *own = kmalloc(sizeof(*own), GFP_KERNEL);
	struct holder holder;

	if (!own)
		return -ENOMEM;
	holder = hold(own, arg);
	WRITE_ONCE(shared, holder.object);
	own->value = cmd; // RACE!
	*constant().start = cmd; // RACE!
	*pick(arg).start = cmd; // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
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
