/* A pointer is kept with its bytes swapped. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo { int x; };
static DEFINE_MUTEX(m);
static u64 cookie;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	mutex_lock(&m);
	cookie = __builtin_bswap64((unsigned long)d);
	mutex_unlock(&m);
	d->x = len; // RACE!
	return len;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *d;

	mutex_lock(&m);
	d = (struct demo *)(unsigned long)__builtin_bswap64(cookie);
	if (d)
		d->x = arg; // RACE!
	mutex_unlock(&m);
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .write = demo_write, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
