/* A callee makes the object, publishes it and returns it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct demo {
	int events;
};

static struct demo *common;

static noinline struct demo *demo_new(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (demo)
		WRITE_ONCE(common, demo);
	return demo;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = demo_new();

	if (!demo)
		return -ENOMEM;
	demo->events = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = READ_ONCE(common);

	return demo ? demo->events : 0; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
