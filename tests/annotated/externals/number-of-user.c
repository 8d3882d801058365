/* A number that code outside makes leads to none of the module's structs. */
// assume: type-split
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int a;
	int level;
};

static DEFINE_MUTEX(lock);

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = kzalloc(sizeof(struct demo), GFP_KERNEL);
	return file->private_data ? 0 : -ENOMEM;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&lock);
	demo->level = n; // NORACE
	mutex_unlock(&lock);
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return *(int *)arg; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
