/* Errors are negative; only these are looked at. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>

static DEFINE_MUTEX(lock);
static DECLARE_RWSEM(sem);
static int events, others;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int err = mutex_lock_interruptible(&lock);

	if (err < 0)
		return err;
	events++; // NORACE
	mutex_unlock(&lock);
	if (down_write_killable(&sem) < 0)
		return -EINTR;
	others++; // NORACE
	up_write(&sem);
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
