/* test_and_set_bit lets one call in; clear_bit_unlock lets it out. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>

static unsigned long flags;
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (test_and_set_bit(3, &flags))
		return -EBUSY;
	events += cmd; // NORACE
	clear_bit_unlock(3, &flags);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	if (test_and_set_bit(3, &flags))
		return -EBUSY;
	len = events; // NORACE
	clear_bit_unlock(3, &flags);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
