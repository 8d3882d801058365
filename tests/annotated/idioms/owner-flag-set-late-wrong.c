/* Init makes the buffer free when somebody may have it already. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int busy;
static char buffer[32];
static int used;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	if (busy) { // NORACE
		mutex_unlock(&lock);
		return -EBUSY;
	}
	busy = 1; // NORACE
	mutex_unlock(&lock);
	used = len; // RACE!
	buffer[0] = len; // RACE!
	mutex_lock(&lock);
	busy = 0; // NORACE
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	int err = misc_register(&demo_misc);

	mutex_lock(&lock);
	busy = 0; // NORACE
	mutex_unlock(&lock);
	return err;
}
module_init(demo_init);
