/* A helper takes the bit, and another gives it back. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>

static unsigned long flags;
static int events;

static bool demo_get(void)
{
	return !test_and_set_bit(3, &flags);
}

static void demo_put(void)
{
	clear_bit_unlock(3, &flags);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (!demo_get())
		return -EBUSY;
	events += cmd; // NORACE
	demo_put();
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
