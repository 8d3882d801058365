/* An object on the stack is published through a list, and others find it there. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/list.h>

struct waiter {
	struct list_head list;
	int done;
};

static DEFINE_MUTEX(lock);
static LIST_HEAD(waiters);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct waiter waiter = { .done = 0 };

	mutex_lock(&lock);
	list_add(&waiter.list, &waiters); // NORACE
	mutex_unlock(&lock);
	while (!waiter.done) // RACE!
		;
	mutex_lock(&lock);
	list_del(&waiter.list); // NORACE
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct waiter *waiter;

	mutex_lock(&lock);
	list_for_each_entry(waiter, &waiters, list) // NORACE
		waiter->done = 1; // RACE!
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
	return misc_register(&demo_misc); // NORACE
}
module_init(demo_init);
