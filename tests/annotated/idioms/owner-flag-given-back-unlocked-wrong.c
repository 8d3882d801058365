/* A flag is given back without the lock under which others find it free. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/compiler.h>
#include <linux/slab.h>

static DEFINE_MUTEX(writers);
static DEFINE_MUTEX(readers);
static int full, item;
static DEFINE_SPINLOCK(order);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	int f;
	spin_lock(&order);
	f = READ_ONCE(full);
	if (!f) WRITE_ONCE(full, 1);
	spin_unlock(&order);
	if (!f) {
		item = len; // RACE!
		smp_store_release(&full, 0);
	}
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	ssize_t found = 0;
	int f;
	spin_lock(&order);
	f = READ_ONCE(full);
	if (!f) WRITE_ONCE(full, 1);
	spin_unlock(&order);
	if (!f) {
		found = item; // RACE!
		smp_store_release(&full, 0);
	}
	return found;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
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
