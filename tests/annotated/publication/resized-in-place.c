/* What is resized belongs to the call until it is given to others, under the lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct obj {
	int first, second;
};

void *krealloc(const void *old, size_t size, gfp_t flags);

static struct obj *shared;
static DEFINE_MUTEX(lock);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct obj *obj = kzalloc(sizeof(*obj), GFP_KERNEL), *larger;

	if (!obj)
		return -ENOMEM;
	larger = krealloc(obj, 2 * sizeof(*obj), GFP_KERNEL);
	if (!larger) {
		kfree(obj);
		return -ENOMEM;
	}
	larger->first = len; // NORACE
	mutex_lock(&lock);
	if (!shared) {
		shared = larger;
		larger = NULL;
	}
	mutex_unlock(&lock);
	kfree(larger); // NORACE
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	if (shared)
		len = shared->first; // NORACE
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
