/* C11 atomics are marked accesses. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/atomic.h>

static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	__atomic_fetch_add(&events, 1, __ATOMIC_RELAXED); // NORACE
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	len = __atomic_load_n(&events, __ATOMIC_RELAXED); // NORACE
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
