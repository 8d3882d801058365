/* The object keeps the lock of whoever used it last. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct user {
	struct mutex lock;
};

struct demo {
	struct mutex *lock;
	int events;
};

static struct demo demo;

static int demo_open(struct inode *inode, struct file *file)
{
	struct user *user = kzalloc(sizeof(*user), GFP_KERNEL);

	if (!user)
		return -ENOMEM;
	mutex_init(&user->lock);
	WRITE_ONCE(demo.lock, &user->lock);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct mutex *lock = READ_ONCE(demo.lock);

	mutex_lock(lock);
	demo.events++; // RACE!
	mutex_unlock(lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
