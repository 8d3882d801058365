/* Before misc_register nobody has a file, so there is no ioctl. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int limit;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return limit; // NORACE
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

	limit = 3; // NORACE
	err = misc_register(&demo_misc);
	return err;
}
module_init(demo_init);
