/* The copy of this CPU is changed by a helper, which is called with interrupts off. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>

struct counts {
	int events;
};

static struct counts __percpu *counts;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	this_cpu_ptr(counts)->events++; // NORACE
	return IRQ_HANDLED;
}

static void set_events(int events)
{
	this_cpu_ptr(counts)->events = events; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	local_irq_disable();
	set_events(cmd);
	local_irq_enable();
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
	counts = alloc_percpu(struct counts); // NORACE
	if (!counts)
		return -ENOMEM;
	if (request_irq(7, demo_interrupt, 0, "demo", &demo_misc))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
