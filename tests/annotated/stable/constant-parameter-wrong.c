/* A parameter of the module is set by others. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int mode = 3;
module_param(mode, int, 0644);
static int count;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (mode != 3)
		count++; // RACE!
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
