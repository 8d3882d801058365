/* A function that disables interrupts and enables them again enables them for its caller, too. */
// verdict: potential
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	this_cpu_ptr(&counts)->events++; // RACE!
	return IRQ_HANDLED;
}

static void look(void)
{
	local_irq_disable();
	local_irq_enable();
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	local_irq_disable();
	look();
	this_cpu_ptr(&counts)->events = 0; // RACE!
	local_irq_enable();
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
