/* The user may clear the bit: it is a parameter of the module. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>

static unsigned long flags;
static int events;

module_param_cb(flags, &param_ops_ulong, &flags, 0644);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (test_and_set_bit(3, &flags))
		return -EBUSY;
	events += cmd; // RACE!
	clear_bit_unlock(3, &flags);
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
