/* test_and_set_bit lets one call in. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>

static unsigned long busy;
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (test_and_set_bit(0, &busy))
		return -EBUSY;
	events++; // NORACE
	clear_bit_unlock(0, &busy);
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
