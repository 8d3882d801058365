/* Two lines are requested with one dev_id, each by another thread: their handlers run side by side. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>

struct demo {
	int events;
};

static struct demo demo;
static int rx = 7, tx = 8;
module_param(rx, int, 0);
module_param(tx, int, 0);

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // RACE!
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return request_irq(tx, demo_interrupt, IRQF_SHARED, "demo", &demo);
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
	if (request_irq(rx, demo_interrupt, IRQF_SHARED, "demo", &demo))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
