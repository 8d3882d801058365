/* The address of one of two members is chosen, and goes nowhere. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int low;
	int high;
};

static DEFINE_MUTEX(current_lock);
static int *current_level;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int *level;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	level = file->f_flags & 02000 ? &demo->low : &demo->high;
	mutex_lock(&current_lock);
	*level = 1;
	mutex_unlock(&current_lock);
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	demo->low = cmd; // NORACE
	demo->high = cmd; // NORACE
	mutex_unlock(&demo->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&current_lock);
	if (current_level)
		*current_level = len; // NORACE
	mutex_unlock(&current_lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
