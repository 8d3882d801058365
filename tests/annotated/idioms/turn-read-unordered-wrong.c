/* The lock under which one reads whose turn it is does not order that with who writes it without. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/compiler.h>

static DEFINE_MUTEX(writers);
static DEFINE_MUTEX(readers);
static DEFINE_SPINLOCK(order);
static int full;
static int item;

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
	int is_full;

	mutex_lock(&readers);
	spin_lock(&order);
	is_full = READ_ONCE(full);
	spin_unlock(&order);
	if (is_full) {
		found = item; // RACE!
		smp_store_release(&full, 0);
	}
	mutex_unlock(&readers);
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
