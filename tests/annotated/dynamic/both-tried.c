/* Two locks are tried; what comes next is done if both were taken. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);
static int events, others;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int taken_a = mutex_trylock(&a), taken_b = mutex_trylock(&b);

	if (taken_a && taken_b)
		events++; // NORACE
	if (taken_b)
		mutex_unlock(&b);
	if (taken_a)
		mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b);
	len = events; // NORACE
	mutex_unlock(&b);
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
