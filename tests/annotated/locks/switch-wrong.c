/* One case forgot the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	long result = 0;

	switch (cmd) {
	case 1:
		mutex_lock(&lock);
		events++; // RACE!
		mutex_unlock(&lock);
		break;
	case 2:
	case 3:
		mutex_lock(&lock);
		if (cmd == 2)
			events = 0; // RACE!
		result = events; // NORACE
		mutex_unlock(&lock);
		break;
	case 4:
		result = events; // RACE!
		break;
	default:
		return -ENOTTY;
	}
	return result;
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
