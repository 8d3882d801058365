/* The lock is two stable pointers away from what it guards. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct bus {
	struct mutex lock;
};

struct card {
	struct bus *bus;
	struct card *next;
};

struct demo {
	struct card *card;
	int events;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&READ_ONCE(demo->card)->bus->lock);
	demo->events++; // NORACE
	mutex_unlock(&READ_ONCE(demo->card)->bus->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&READ_ONCE(demo->card)->bus->lock);
	len = demo->events; // NORACE
	mutex_unlock(&READ_ONCE(demo->card)->bus->lock);
	return len;
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
