/* After misc_register a file may be opened and an ioctl made. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int limit;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return limit; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	int err;

	err = misc_register(&demo_misc);
	limit = 3; // RACE!
	return err;
}
module_init(demo_init);
