/* Signed division and remainder round towards zero: -7 / 2 is -3, -7 % 2 is -1. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int quotients, remainders;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int n = (int)cmd;

	if (n == -7 && n / 2 == -3)
		quotients++; // RACE!
	if (n == -7 && n % 2 == -1)
		remainders++; // RACE!
	return 0;
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
	return misc_register(&demo_misc);
}
module_init(demo_init);
