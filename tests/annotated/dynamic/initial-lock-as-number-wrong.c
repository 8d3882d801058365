/* The lock that a global has from the start is replaced through a number. */
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
static struct demo demo = { .lock = &first };

static unsigned long place = (unsigned long)&demo.lock;

static noinline void demo_set(struct mutex *lock)
{
	WRITE_ONCE(*(struct mutex **)READ_ONCE(place), lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	demo_set(cmd ? &first : &second);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct mutex *lock = READ_ONCE(demo.lock);

	mutex_lock(lock);
	demo.events++; // RACE!
	mutex_unlock(lock);
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
