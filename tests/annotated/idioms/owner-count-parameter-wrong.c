/* How many may count down to zero is set before init, by a function that nobody calls later. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/atomic.h>

static atomic_t available = ATOMIC_INIT(1);
static int events;

static int available_set(const char *val, const struct kernel_param *kp)
{
	atomic_set(&available, val[0]);
	return 0;
}
static const struct kernel_param_ops available_ops = { .set = available_set };
module_param_cb(available, &available_ops, &available, 0444);

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
	return misc_register(&demo_misc);
}
module_init(demo_init);
