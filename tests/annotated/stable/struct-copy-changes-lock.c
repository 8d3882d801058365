/* A whole struct is assigned, the pointer to the lock with it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	struct mutex *lock;
	int kind;
};

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static struct demo current_demo = { &first, 1 };
static const struct demo other_demo = { &second, 2 };
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct mutex *lock = READ_ONCE(current_demo.lock); // RACE!

	mutex_lock(lock);
	events++; // RACE!
	mutex_unlock(lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	current_demo = other_demo; // RACE!
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
