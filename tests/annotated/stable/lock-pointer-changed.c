/* The pointer to the lock is changed by an ioctl. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	struct mutex *lock;
	int events;
};

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	WRITE_ONCE(demo->lock, cmd ? &first : &second);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;
	struct mutex *lock = READ_ONCE(demo->lock);

	mutex_lock(lock);
	demo->events++; // RACE!
	mutex_unlock(lock);
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
