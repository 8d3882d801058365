/* Waiting for a lock that the thread holds. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/miscdevice.h>

static DEFINE_MUTEX(lock);
static DEFINE_SPINLOCK(spin);
static int count;

static void add(int n)
{
	mutex_lock(&lock); // TWICE
	count += n;
	mutex_unlock(&lock);
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	if (n > 4096)
		add(1);
	mutex_unlock(&lock);
	return n;
}

/* Not twice: dropped before, tried, or of another kind. */
static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	count = 0;
	mutex_unlock(&lock);
	mutex_lock(&lock);
	if (mutex_trylock(&lock))
		count = 1;
	spin_lock(&spin);
	count++;
	spin_unlock(&spin);
	mutex_unlock(&lock);
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int held = 0;

	if (cmd == 1) {
		spin_lock(&spin);
		held = 1;
	}
	if (cmd != 1)
		spin_lock(&spin);
	if (cmd == 2 && !held)
		count++;
	spin_unlock(&spin);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
