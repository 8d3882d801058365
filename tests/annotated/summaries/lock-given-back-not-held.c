/* A summary, too, gives back a lock that its caller may not have. */
// verdict: race-free
// inline-limit: 0
// assume: own-locks: mutex
// pairs: 3
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int count;

static void give_back(void)
{
	mutex_unlock(&lock);
}

static ssize_t demo_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	int error = mutex_lock_interruptible(&lock);

	if (!error)
		count++; // NORACE
	give_back();
	return error ? error : len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
