/* An address was kept as a number. */
// verdict: potential
// assume: int-to-pointer
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	int events;
};

static DEFINE_MUTEX(lock);
static struct demo demo;
static unsigned long handle;

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	handle = (unsigned long)&demo; // RACE!
	mutex_unlock(&lock);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *found = (struct demo *)handle; // RACE!

	found->events++; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	len = demo.events; // RACE!
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
