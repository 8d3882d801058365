/* The table is filled in code. */
// verdict: potential
// entry-points: 2
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int events;
static struct file_operations demo_fops;
static struct miscdevice demo_misc;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return ++events; // RACE!
}

static int __init demo_init(void)
{
	demo_fops.unlocked_ioctl = demo_ioctl;
	demo_misc.fops = &demo_fops;
	return misc_register(&demo_misc);
}
module_init(demo_init);
