/* Who writes to the file of a parameter changes at once which lock is taken. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

static int second, both;
module_param(second, int, 0644);
module_param(both, int, 0200);
static DEFINE_SPINLOCK(a);
static DEFINE_SPINLOCK(b);
static int count, pairs;

static ssize_t demo_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	spinlock_t *lock = second ? &b : &a;

	spin_lock(lock);
	count++; // RACE!
	spin_unlock(lock);
	if (both)
		spin_lock(&a);
	if (both)
		pairs++; // RACE!
	if (both)
		spin_unlock(&a);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
