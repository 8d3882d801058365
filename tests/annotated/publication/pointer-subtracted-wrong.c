/* A pointer is kept as its distance from a number. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo { int x; };
static DEFINE_MUTEX(m);
static unsigned long left, limit = 0xfffffffffffff000;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	mutex_lock(&m);
	left = limit - (unsigned long)d;
	mutex_unlock(&m);
	d->x = len; // RACE!
	return len;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *d;

	mutex_lock(&m);
	d = left ? (struct demo *)(limit - left) : NULL;
	if (d)
		d->x = arg; // RACE!
	mutex_unlock(&m);
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .write = demo_write, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
