/* A path to the end that forgets the lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/miscdevice.h>

static DEFINE_MUTEX(forgotten);
static DEFINE_MUTEX(given_back);
static int count;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&forgotten); // LEFT
	if (n > 4096)
		return -EINVAL;
	count++;
	mutex_unlock(&forgotten);
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	ssize_t result = n;

	if (mutex_lock_interruptible(&given_back))
		return -ERESTARTSYS;
	if (n > 4096) {
		result = -EINVAL;
		goto out;
	}
	count++;
out:
	mutex_unlock(&given_back);
	return result;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
