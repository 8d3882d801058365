/* Two calls may both find the flag clear. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>

static int busy;
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (READ_ONCE(busy))
		return -EBUSY;
	WRITE_ONCE(busy, 1);
	events++; // RACE!
	WRITE_ONCE(busy, 0);
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
