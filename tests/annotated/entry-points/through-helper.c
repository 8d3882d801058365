/* A helper registers the function that it is given. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>

static int events;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	events++; // RACE!
	return IRQ_HANDLED;
}

static noinline int demo_request(irq_handler_t handler)
{
	return request_irq(7, handler, 0, "demo", &events);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return events; // RACE!
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
	if (demo_request(demo_interrupt))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
