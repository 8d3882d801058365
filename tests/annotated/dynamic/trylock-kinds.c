/* All kinds of trylock give 1 if the lock is held; one for readers excludes writers only. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/rwlock.h>
#include <linux/rwsem.h>

struct demo {
	struct mutex mutex;
	spinlock_t spin;
	rwlock_t rw;
	struct rw_semaphore sem;
	int a, b, c, d;
};

static struct demo demo;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (!mutex_trylock(&demo.mutex))
		return -EBUSY;
	demo.a = cmd; // NORACE
	mutex_unlock(&demo.mutex);
	if (!spin_trylock_bh(&demo.spin))
		return -EBUSY;
	demo.b = cmd; // NORACE
	spin_unlock_bh(&demo.spin);
	if (!write_trylock(&demo.rw))
		return -EBUSY;
	demo.c = cmd; // NORACE
	write_unlock(&demo.rw);
	if (!down_write_trylock(&demo.sem))
		return -EBUSY;
	demo.d = cmd; // NORACE
	up_write(&demo.sem);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&demo.mutex);
	len = demo.a; // NORACE
	mutex_unlock(&demo.mutex);
	spin_lock(&demo.spin);
	len += demo.b; // NORACE
	spin_unlock(&demo.spin);
	if (read_trylock(&demo.rw)) {
		len += demo.c; // NORACE
		read_unlock(&demo.rw);
	}
	if (down_read_trylock(&demo.sem)) {
		len += demo.d; // NORACE
		up_read(&demo.sem);
	}
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
