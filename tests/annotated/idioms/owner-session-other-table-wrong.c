/* Another device has the same operation, and no open. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>

static unsigned long is_open;
static int opened;

static int demo_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &is_open))
		return -EBUSY;
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

static const struct file_operations other_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static struct miscdevice other_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "other",
	.fops = &other_fops,
};

static int __init demo_init(void)
{
	int err = misc_register(&demo_misc);

	return err ? err : misc_register(&other_misc);
}
module_init(demo_init);
