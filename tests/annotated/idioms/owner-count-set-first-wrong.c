/* Init lets two come at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/atomic.h>

static atomic_t available = ATOMIC_INIT(1);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (!atomic_dec_and_test(&available)) {
		atomic_inc(&available);
		return -EBUSY;
	}
	events++; // RACE!
	atomic_inc(&available);
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
	atomic_set(&available, 2);
	return misc_register(&demo_misc);
}
module_init(demo_init);
