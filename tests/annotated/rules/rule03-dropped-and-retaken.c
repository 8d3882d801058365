/* mode is read under {a,b} and written under {b} alone; b is dropped and retaken in between,
 * so the second test may give another answer than the first.
 */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);
static int mode, events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&a);
	mutex_lock(&b);
	if (mode == 1) { // NORACE
		mutex_unlock(&b);
		mutex_lock(&b);
		if (mode == 2) // NORACE
			events++; // RACE!
	}
	mutex_unlock(&b);
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b);
	mode = len; // NORACE
	mutex_unlock(&b);
	return events; // RACE!
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
