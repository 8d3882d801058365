/* A mutex; the results of the forms that may fail are taken for their opposites. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		if (!mutex_lock_interruptible(&lock))
			return -EBUSY;
		events++; // RACE!
		mutex_unlock(&lock);
		break;
	case 1:
		if (!mutex_lock_interruptible_nested(&lock, 1))
			return -EBUSY;
		events++; // RACE!
		mutex_unlock(&lock);
		break;
	case 2:
		if (!mutex_lock_killable(&lock))
			return -EBUSY;
		events++; // RACE!
		mutex_unlock(&lock);
		break;
	case 3:
		if (!mutex_lock_killable_nested(&lock, 1))
			return -EBUSY;
		events++; // RACE!
		mutex_unlock(&lock);
		break;
	case 4:
		if (mutex_trylock(&lock))
			return -EBUSY;
		events++; // RACE!
		mutex_unlock(&lock);
		break;
	}
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
