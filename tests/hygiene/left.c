/* A path to the end that forgets the lock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/miscdevice.h>

static DEFINE_MUTEX(forgotten);
static DEFINE_MUTEX(given_back);
static int count;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&forgotten); // LEFT
	if (n > 4096)
		return -EINVAL;
	count++;
	mutex_unlock(&forgotten);
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	ssize_t result = n;

	if (mutex_lock_interruptible(&given_back))
		return -ERESTARTSYS;
	if (n > 4096) {
		result = -EINVAL;
		goto out;
	}
	count++;
out:
	mutex_unlock(&given_back);
	return result;
}

/* A loop between, and a lock that was perhaps not got. */
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int i, ret = mutex_lock_killable(&given_back);

	if (ret)
		return ret;
	for (i = 0; i < cmd; i++) {
		if (count == i)
			goto found;
	}
	mutex_unlock(&given_back);
	return 0;
found:
	mutex_unlock(&given_back);
	return i;
}

static long demo_compat_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int i, ret = mutex_lock_killable(&forgotten); // LEFT

	if (ret)
		return ret;
	for (i = 0; i < cmd; i++) {
		if (count == i)
			return i;
	}
	mutex_unlock(&forgotten);
	return 0;
}

struct slot {
	struct mutex *lock;
	int n;
};

/* The lock is behind a pointer that is read twice. */
static ssize_t demo_read_iter(struct kiocb *iocb, struct iov_iter *iter)
{
	struct slot *slot = iocb->ki_filp->private_data;

	mutex_lock(slot->lock);
	slot->n++;
	mutex_unlock(slot->lock);
	return 0;
}

/* And changed in between. */
static ssize_t demo_write_iter(struct kiocb *iocb, struct iov_iter *iter)
{
	struct slot *slot = iocb->ki_filp->private_data;

	mutex_lock(slot->lock); // LEFT
	slot->lock = &given_back;
	mutex_unlock(slot->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.compat_ioctl = demo_compat_ioctl,
	.read_iter = demo_read_iter,
	.write_iter = demo_write_iter,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
