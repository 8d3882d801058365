/* An object on the stack is published through a global pointer. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct waiter {
	int pad;
	int done;
};

static DEFINE_MUTEX(lock);
static struct waiter *waiting;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct waiter waiter = { .done = 0 };

	mutex_lock(&lock);
	waiting = &waiter; // NORACE
	mutex_unlock(&lock);
	while (!waiter.done) // RACE!
		;
	mutex_lock(&lock);
	waiting = NULL; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	if (waiting) // NORACE
		waiting->done = 1; // RACE!
	mutex_unlock(&lock);
	return len;
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
