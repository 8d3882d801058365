/* Interrupts are on again when the copy is changed, although preemption is still off. */
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
	unsigned long flags;
	struct counts *own;

	preempt_disable();
	local_irq_save(flags);
	own = this_cpu_ptr(&counts);
	local_irq_restore(flags);
	own->events = 0; // RACE!
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
