/* One handler enables interrupts, and the other may come in between. */
// verdict: potential
#include "percpu.h"

static DEFINE_PER_CPU(struct counts, counts);
static int lines[2];

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	local_irq_enable();
	this_cpu_ptr(&counts)->events++; // RACE!
	return IRQ_HANDLED;
}

static irqreturn_t demo_other(int irq, void *dev_id)
{
	this_cpu_ptr(&counts)->events = 0; // RACE!
	return IRQ_HANDLED;
}

static int __init demo_init(void)
{
	if (request_irq(7, demo_interrupt, 0, "demo", &lines[0]))
		return -EBUSY;
	return request_irq(8, demo_other, 0, "other", &lines[1]);
}
module_init(demo_init);
