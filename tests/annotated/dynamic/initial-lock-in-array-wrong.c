/* The lock that an element has from the start is replaced through a pointer that moved there. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex *lock;
	int events;
};

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static struct demo demos[2] = { { .lock = &first }, { .lock = &first } };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct mutex **where = &demos[0].lock;

	where += cmd & 2;
	WRITE_ONCE(*where, &second);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct mutex *lock = READ_ONCE(demos[1].lock);

	mutex_lock(lock);
	demos[1].events++; // RACE!
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
