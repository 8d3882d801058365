/* The error counter is changed after the unlock, and one path forgets that. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events, errors;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	long err = -EINVAL;

	mutex_lock(&lock);
	if (cmd > 3)
		goto out;
	err = -EBUSY;
	if (events > 3) // NORACE
		goto out_unlock;
	events++; // NORACE
	mutex_unlock(&lock);
	return 0;

out_unlock:
	mutex_unlock(&lock);
out:
	errors++; // RACE!
	return err;
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
