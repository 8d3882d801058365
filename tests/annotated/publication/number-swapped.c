/* A number whose bytes are swapped gives nobody the object that it lies in. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct demo { int x; u64 size; };
static u64 cookie;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	d->size = len;
	WRITE_ONCE(cookie, __builtin_bswap64(d->size)); // NORACE
	d->x = len; // NORACE
	kfree(d);
	return len;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return READ_ONCE(cookie); // NORACE
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .write = demo_write, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
