/* Two writers may both find the slot empty. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/compiler.h>
#include <linux/wait.h>

static DEFINE_MUTEX(writers);
static DEFINE_MUTEX(readers);
static DECLARE_WAIT_QUEUE_HEAD(queue);
static int full;
static int item;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	wait_event(queue, !smp_load_acquire(&full)); // NORACE
	item = len; // RACE!
	smp_store_release(&full, 1); // NORACE
	wake_up(&queue);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	ssize_t found;

	mutex_lock(&readers);
	if (wait_event_interruptible(queue, smp_load_acquire(&full))) { // NORACE
		mutex_unlock(&readers);
		return -ERESTARTSYS;
	}
	found = item; // RACE!
	smp_store_release(&full, 0); // NORACE
	wake_up(&queue);
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
