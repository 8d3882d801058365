/* The kernel is compiled with -fno-strict-overflow: a signed sum wraps, too. So do a product
 * and a shift.
 */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int sums, products, shifts;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int n = cmd;

	if (n > 0 && n + 0x7fffffff < 0)
		sums++; // RACE!
	if (cmd > 1 && cmd * 0x10000 == 0)
		products++; // RACE!
	if (cmd && cmd << 4 == 0)
		shifts++; // RACE!
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
