/* Two unknown functions may give the same object. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	int events;
};

static DEFINE_MUTEX(lock);
struct demo *demo_find(unsigned int number);
struct demo *demo_first(void);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	demo_find(cmd)->events++; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = demo_first();

	mutex_lock(&lock);
	len = demo->events; // RACE!
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
