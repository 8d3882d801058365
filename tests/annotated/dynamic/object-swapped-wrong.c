/* Two objects change places between the lock and the access. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events;
};

static struct demo a, b;

static noinline void swap_both(struct demo **x, struct demo **y)
{
	struct demo *t = *x;

	*x = *y;
	*y = t;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *one = &a, *two = &b;

	mutex_lock(&one->lock);
	swap_both(&one, &two);
	one->events++; // RACE!
	mutex_unlock(&two->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b.lock);
	len = b.events; // RACE!
	mutex_unlock(&b.lock);
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
