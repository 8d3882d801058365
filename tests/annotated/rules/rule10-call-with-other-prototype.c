/* A function is called through a pointer of another type. */
// assume: indirect-call
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events;
static void *handler;

static int demo_count(int by)
{
	events += by; // RACE!
	return events; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	WRITE_ONCE(handler, (void *)demo_count);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	void (*call)(int, int) = (void (*)(int, int))READ_ONCE(handler);

	if (call)
		call(1, 2);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	events = 0; // RACE!
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
