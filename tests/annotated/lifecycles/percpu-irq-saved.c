/* Interrupts are off in a function that is also called with them off. */
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	this_cpu_ptr(&counts)->events++; // NORACE
	return IRQ_HANDLED;
}

static void reset(void)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_ptr(&counts)->events = 0; // NORACE
	local_irq_restore(flags);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	preempt_disable();
	reset();
	preempt_enable();
	return 0;
}

DEMO_DEVICE(demo_ioctl);

static int __init demo_init(void)
{
	if (request_irq(7, demo_interrupt, 0, "demo", &demo_misc))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
