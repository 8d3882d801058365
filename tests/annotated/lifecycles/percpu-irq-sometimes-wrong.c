/* Interrupts are off only if the caller asks for it. */
// verdict: potential
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	this_cpu_ptr(&counts)->events++; // RACE!
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd)
		local_irq_disable();
	this_cpu_ptr(&counts)->events = 0; // RACE!
	if (cmd)
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
