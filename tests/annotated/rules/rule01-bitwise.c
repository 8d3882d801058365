/* Conditions on bits. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int masks, complements, differences;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if ((cmd & 0xf0) == 0x30 && cmd > 0x1000)
		masks++; // RACE!
	if (~cmd < 5)
		complements++; // RACE!
	if ((cmd ^ 0xff) == 1 && cmd == 0xfe)
		differences++; // RACE!
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
