/* Who does not have the lock gives it back, and with it another one's: a mistake of its own, which is assumed not to happen. */
// verdict: race-free
// assume: own-locks: mutex
// assume: own-locks: spinlock
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

static DEFINE_MUTEX(lock);
static DEFINE_SPINLOCK(spin);
static int count, other;

static ssize_t demo_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	int error = mutex_lock_interruptible(&lock);

	if (error)
		goto out;
	count++; // NORACE
out:
	mutex_unlock(&lock);
	if (spin_trylock(&spin))
		other++; // NORACE
	spin_unlock(&spin);
	return error ? error : len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
