/* The object is published as part of another one that points to it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct inner {
	int events;
};

struct outer {
	struct inner *inner;
};

static DEFINE_MUTEX(lock);
static struct outer *common;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct outer *outer = kzalloc(sizeof(*outer), GFP_KERNEL);
	struct inner *inner = kzalloc(sizeof(*inner), GFP_KERNEL);

	if (!outer || !inner)
		return -ENOMEM;
	inner->events = 1; // NORACE
	outer->inner = inner; // NORACE
	mutex_lock(&lock);
	common = outer; // NORACE
	mutex_unlock(&lock);
	inner->events = 2; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	if (common) // NORACE
		len = common->inner->events; // RACE!
	mutex_unlock(&lock);
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
