/* Before misc_register nobody can open the file. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int limit;

static int demo_open(struct inode *inode, struct file *file)
{
	return limit; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	int err;

	limit = 3; // NORACE
	err = misc_register(&demo_misc);
	return err;
}
module_init(demo_init);
