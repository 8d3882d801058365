/* The operations are in a struct of the driver, in an array. */
// verdict: potential
// entry-points: 2
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct model {
	const char *name;
	struct file_operations fops;
};

static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return ++events; // RACE!
}

static struct model models[] = {
	{ .name = "none" },
	{ .name = "demo", .fops = { .unlocked_ioctl = demo_ioctl } },
};

static struct miscdevice demo_misc;

static int __init demo_init(void)
{
	demo_misc.fops = &models[1].fops;
	return misc_register(&demo_misc);
}
module_init(demo_init);
