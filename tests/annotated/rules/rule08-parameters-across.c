/* Within one call the two are different; across two calls the roles may be swapped. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	struct mutex lock;
	int events;
};

struct pair {
	struct demo *left, *right;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pair *pair = file->private_data;

	if (pair->left == pair->right)
		return -EINVAL;
	mutex_lock(&pair->left->lock);
	pair->right->events++; // RACE!
	mutex_unlock(&pair->left->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
