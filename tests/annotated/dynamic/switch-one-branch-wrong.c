/* The case before falls through to the access. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/atomic.h>

static DEFINE_MUTEX(lock);
static int events;
static atomic_t calls;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 1:
		atomic_inc(&calls);
		break;
	case 2:
		mutex_lock(&lock);
		fallthrough;
	case 3:
		if (arg == 3)
			return -EINVAL;
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
