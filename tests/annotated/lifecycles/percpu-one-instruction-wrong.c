/* One side changes the copy in one instruction, the other reads and writes it with interrupts on. */
// verdict: potential
#include "percpu.h"

static DEFINE_PER_CPU(int, events);

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	this_cpu_inc(events); // RACE!
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	get_cpu_var(events)++; // RACE!
	put_cpu_var(events);
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
