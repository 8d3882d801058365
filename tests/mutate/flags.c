/* A lock that is not needed because of a flag that says who owns the data. */
// row module.init: module-load global:module_state: protects-nothing
// row module.init: runs once: protects-nothing
// row file_operations.unlocked_ioctl: session arg0: protects-nothing
// row file_operations.unlocked_ioctl: life of table table: protects-nothing
// row file_operations.unlocked_ioctl: tasks-frozen global:tasks_frozen: protects-nothing
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/bitops.h>

static DEFINE_MUTEX(besides);
static unsigned long busy;
static int owned;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (test_and_set_bit(0, &busy))
		return -EBUSY;
	mutex_lock(&besides); // delete: redundant because of flags that say who owns something; begin: redundant because of flags that say who owns something; swap: redundant because of the lock taken instead, on both sides
	owned++;
	mutex_unlock(&besides); // end: redundant because of flags that say who owns something
	clear_bit(0, &busy);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
