/* A pointer inside a struct is copied to a global with memcpy. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/string.h>

struct demo {
	int events;
};

struct box {
	int number;
	struct demo *demo;
};

static struct box common;

static int demo_open(struct inode *inode, struct file *file)
{
	struct box box = { .number = 1 };

	box.demo = kzalloc(sizeof(*box.demo), GFP_KERNEL);
	if (!box.demo)
		return -ENOMEM;
	memcpy(&common, &box, sizeof(box)); // RACE!
	box.demo->events = 1; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = common.demo; // RACE!

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
