/* An array is indexed from its end: without the index, the address is that of the next member. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

struct two {
	long before;
	long arr[8];
	long after;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct two *two = kzalloc(sizeof(*two), GFP_KERNEL);

	if (!two)
		return -ENOMEM;
	file->private_data = two;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct two *two = file->private_data;

	mutex_lock(&a);
	two->arr[8 - (arg & 7)] = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct two *two = file->private_data;

	mutex_lock(&b);
	two->arr[7] = 1; // RACE!
	mutex_unlock(&b);
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
