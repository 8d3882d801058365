/* A struct is copied before anybody sees the copy: its pointer to itself leads to the first one. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

struct demo {
	spinlock_t lock;
	struct demo *self;
	int count;
};

static struct demo *second;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct demo *copy = kmalloc(sizeof(*copy), GFP_KERNEL);

	if (!demo || !copy)
		return -ENOMEM;
	demo->self = demo;
	*copy = *demo;
	spin_lock_init(&copy->lock);
	file->private_data = demo;
	WRITE_ONCE(second, copy);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *copy = READ_ONCE(second);

	spin_lock(&copy->lock);
	copy->self->count++; // RACE!
	spin_unlock(&copy->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	spin_lock(&demo->lock);
	demo->self->count++; // RACE!
	spin_unlock(&demo->lock);
	return 0;
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
