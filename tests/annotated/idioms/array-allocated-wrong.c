/* The data of one are under the lock of the other. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#define CHANNELS 8

struct channel {
	long level;
	int unit;
};

struct demo {
	struct mutex *locks;
	struct channel *channels;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	unsigned int i;

	if (!demo)
		return -ENOMEM;
	demo->locks = kcalloc(CHANNELS, sizeof(*demo->locks), GFP_KERNEL);
	demo->channels = kcalloc(CHANNELS, sizeof(*demo->channels), GFP_KERNEL);
	if (!demo->locks || !demo->channels)
		return -ENOMEM;
	for (i = 0; i < CHANNELS; i++)
		mutex_init(&demo->locks[i]);
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	unsigned int i = cmd % CHANNELS;

	mutex_lock(&demo->locks[i]);
	demo->channels[i].level = arg; // RACE!
	mutex_unlock(&demo->locks[i]);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;
	unsigned int i = *pos & 7;

	mutex_lock(&demo->locks[i]);
	len = demo->channels[i ^ 1].level; // RACE!
	mutex_unlock(&demo->locks[i]);
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
