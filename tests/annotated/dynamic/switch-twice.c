/* Two switches over one number: the first locks, the second gives back what was locked. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(in_lock);
static DEFINE_MUTEX(out_lock);
static int ins, outs;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 1:
		mutex_lock(&in_lock);
		break;
	case 2:
		mutex_lock(&out_lock);
		break;
	default:
		return -ENOTTY;
	}
	if (cmd == 1)
		ins++; // NORACE
	else
		outs++; // NORACE
	switch (cmd) {
	case 1:
		mutex_unlock(&in_lock);
		break;
	case 2:
		mutex_unlock(&out_lock);
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
