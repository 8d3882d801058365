/* A struct of the kernel is an allocation of its own, but the driver looks at its bytes. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	char *bytes = (char *)file;

	bytes[__builtin_offsetof(struct file, f_flags)] = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return file->f_flags; // RACE!
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
