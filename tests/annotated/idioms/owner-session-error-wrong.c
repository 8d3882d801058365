/* On the way out with an error, open gives back a bit that it has not got. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>

static unsigned long is_open;
static int opened;

static int demo_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &is_open)) {
		clear_bit(0, &is_open);
		return -EBUSY;
	}
	opened++; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return opened; // RACE!
}

static int demo_release(struct inode *inode, struct file *file)
{
	opened--; // RACE!
	clear_bit(0, &is_open);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
	.release = demo_release,
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
