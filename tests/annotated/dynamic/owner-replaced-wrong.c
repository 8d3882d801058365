/* The buffer is read before the lock is taken, and may be freed by then. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct buffer {
	int fill;
};

struct demo {
	struct mutex lock;
	struct buffer *buffer;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	struct buffer *new = kzalloc(sizeof(*new), GFP_KERNEL), *old;

	if (!new)
		return -ENOMEM;
	mutex_lock(&demo->lock);
	old = demo->buffer; // NORACE
	demo->buffer = new; // RACE!
	mutex_unlock(&demo->lock);
	kfree(old); // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;
	struct buffer *buffer;

	buffer = demo->buffer; // RACE!
	mutex_lock(&demo->lock);
	if (buffer)
		buffer->fill = len; // RACE!
	mutex_unlock(&demo->lock);
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

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
