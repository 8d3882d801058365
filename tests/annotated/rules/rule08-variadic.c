/* A pointer goes through a variadic function of the driver. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct demo {
	int events;
};

static struct demo *common;

static noinline void demo_publish(int count, ...)
{
	__builtin_va_list list;

	__builtin_va_start(list, count);
	WRITE_ONCE(common, __builtin_va_arg(list, struct demo *));
	__builtin_va_end(list);
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo_publish(1, demo);
	demo->events = 1; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = READ_ONCE(common);

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
