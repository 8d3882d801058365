/* A positive number that comes back from a registration, the device's own, is no failure. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>

static int value, major;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return value; // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read };

static int __init demo_init(void)
{
	value = 1; // NORACE
	major = __register_chrdev(0, 0, 1, "demo", &demo_fops);
	if (major < 0)
		return major;
	if (major > 0)
		value = 2; // RACE!
	return 0;
}
module_init(demo_init);
