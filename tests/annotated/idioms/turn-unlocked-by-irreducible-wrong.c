/* A function whose loops have two entries lets others in. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/compiler.h>

static DEFINE_MUTEX(writers);
static DEFINE_MUTEX(readers);
static int full;
static int item;

static noinline void demo_pause(int n)
{
	if (n & 1)
		goto middle;
again:
	mutex_unlock(&readers);
	mutex_lock(&readers);
middle:
	n -= 3;
	if (n > 0)
		goto again;
	if (n < -100)
		goto middle;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&writers);
	if (!smp_load_acquire(&full)) {
		item = len; // RACE!
		smp_store_release(&full, 1);
	}
	mutex_unlock(&writers);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	ssize_t found = 0;

	mutex_lock(&readers);
	if (smp_load_acquire(&full)) {
		demo_pause(len);
		found = item; // RACE!
	}
	mutex_unlock(&readers);
	return found;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&readers);
	if (smp_load_acquire(&full))
		smp_store_release(&full, 0);
	mutex_unlock(&readers);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
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
