/* Other files write the variable by another name. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int mode = 3;
extern int demo_mode __attribute__((alias("mode")));
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
