/* One instruction changes the copy of the CPU that executes it. */
#include "percpu.h"

static DEFINE_PER_CPU(int, events);

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	this_cpu_inc(events); // NORACE
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	this_cpu_add(events, 2); // NORACE
	return this_cpu_read(events); // NORACE
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	if (request_irq(7, demo_interrupt, 0, "demo", &demo_misc))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
