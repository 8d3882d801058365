/* A struct of two words is passed in registers. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct demo {
	int events;
};

struct box {
	struct demo *demo;
	long number;
};

static struct demo *common;

static noinline struct box demo_pack(struct demo *demo)
{
	struct box box = { .demo = demo, .number = 1 };

	return box;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct box box;

	if (!demo)
		return -ENOMEM;
	box = demo_pack(demo);
	WRITE_ONCE(common, box.demo);
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
