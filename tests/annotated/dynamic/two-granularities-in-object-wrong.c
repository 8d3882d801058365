/* A counter is changed under the mutex. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	struct mutex config_lock;
	int config;
	spinlock_t count_lock;
	int count;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->config_lock);
	spin_lock_init(&demo->count_lock);
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->config_lock);
	demo->config = cmd; // NORACE
	demo->count = 0; // RACE!
	mutex_unlock(&demo->config_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	spin_lock(&demo->count_lock);
	demo->count += len; // RACE!
	spin_unlock(&demo->count_lock);
	mutex_lock(&demo->config_lock);
	len = demo->config; // NORACE
	mutex_unlock(&demo->config_lock);
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
