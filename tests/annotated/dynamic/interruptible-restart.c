/* The result of two locks in a row; the first is given back if the second fails. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static int under_first, under_second;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (mutex_lock_killable(&first))
		return -ERESTARTSYS;
	if (mutex_lock_interruptible(&second)) {
		mutex_unlock(&first);
		return -ERESTARTSYS;
	}
	under_first++; // NORACE
	mutex_unlock(&first);
	under_second++; // NORACE
	mutex_unlock(&second);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
