/* The function called is behind a pointer that an ioctl sets; one of two accesses without a
 * lock.
 */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events;
static void (*handler)(void);

static void demo_locked(void)
{
	mutex_lock(&lock);
	events++; // RACE!
	mutex_unlock(&lock);
}

static void demo_unlocked(void)
{
	events--; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	WRITE_ONCE(handler, cmd ? demo_locked : demo_unlocked);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	void (*call)(void) = READ_ONCE(handler);

	if (call)
		call();
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
