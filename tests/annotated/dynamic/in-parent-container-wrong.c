/* The callee takes the second child for the first: another place is taken for the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct channel {
	int level;
	int muted;
};

struct demo {
	struct mutex lock;
	struct channel left, right;
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

static void demo_left(struct channel *channel, int level)
{
	struct demo *demo = container_of(channel, struct demo, left);

	mutex_lock(&demo->lock);
	channel->level = level; // RACE!
	mutex_unlock(&demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	demo_left(cmd ? &demo->left : &demo->right, arg);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	len = demo->left.level + demo->right.level; // RACE!
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
