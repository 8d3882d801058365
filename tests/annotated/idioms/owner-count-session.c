/* The one who counts from zero to one has the device until he closes it. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/atomic.h>

static atomic_t users;
static int opened;

static int demo_open(struct inode *inode, struct file *file)
{
	if (atomic_inc_return(&users) != 1) {
		atomic_dec(&users);
		return -EBUSY;
	}
	opened++; // NORACE
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	opened--; // NORACE
	atomic_dec(&users);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
