/* The same number is large without and negative with a sign. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int signs, widths;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int n = (int)cmd;
	long wide = n;

	if (n < 0 && cmd > 0x80000000u)
		signs++; // RACE!
	if (wide < 0 && (unsigned long)wide > 0xffffffff00000000ul)
		widths++; // RACE!
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
