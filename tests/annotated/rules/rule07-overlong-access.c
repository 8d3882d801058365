/* A wide access through a cast reaches into the next member. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct words {
	unsigned short low;
	unsigned short high;
	unsigned int rest;
};

static DEFINE_MUTEX(lock);
static struct words words;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	*(unsigned int *)&words.low = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	words.high = 2; // RACE!
	words.rest = 3; // NORACE
	mutex_unlock(&lock);
	return 0;
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
