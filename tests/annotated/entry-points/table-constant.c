/* Functions in a constant table; a helper is none. */
// verdict: race-free
// entry-points: 4
// pairs: 9
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static noinline int demo_help(unsigned int n)
{
	return n + 1;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return demo_help(cmd);
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return demo_help(len);
}

static int demo_open(struct inode *inode, struct file *file)
{
	return demo_help(1);
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.open = demo_open,
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
