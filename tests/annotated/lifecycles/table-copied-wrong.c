/* A copy of the operations is registered first. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int x;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	WRITE_ONCE(x, 2); // RACE!
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
static struct file_operations raw_fops;
static struct miscdevice raw_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "raw", .fops = &raw_fops };

static int __init demo_init(void)
{
	int err;

	raw_fops = demo_fops;
	raw_fops.read = NULL;
	err = misc_register(&raw_misc);
	if (err)
		return err;
	x = 1; // RACE!
	return misc_register(&demo_misc);
}
module_init(demo_init);
