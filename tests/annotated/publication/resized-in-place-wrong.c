/* An object that is made smaller stays where it is, so who writes to it without the lock writes to what others read. */
// verdict: potential
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
	struct obj *old, *new;

	mutex_lock(&lock);
	old = shared;
	new = old ? krealloc(old, sizeof(int), GFP_KERNEL) : NULL; // RACE!
	mutex_unlock(&lock);
	if (new)
		new->first = len; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	if (shared)
		len = shared->first; // RACE!
	mutex_unlock(&lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct obj *obj = kzalloc(sizeof(*obj), GFP_KERNEL);

	mutex_lock(&lock);
	if (!shared)
		shared = obj;
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
