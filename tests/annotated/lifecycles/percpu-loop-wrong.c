/* Interrupts are let in after each round, and the pointer to the copy is that of the first one. */
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
	struct counts *own;
	unsigned int i;

	local_irq_disable();
	own = this_cpu_ptr(&counts);
	for (i = 0; i < cmd; i++) {
		own->events += i; // RACE!
		local_irq_enable();
		local_irq_disable();
	}
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
