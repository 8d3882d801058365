/* One handler of two lines runs twice at the same time. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>

static int events;
static int first, second;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	events++; // RACE!
	return IRQ_HANDLED;
}

static int __init demo_init(void)
{
	if (request_irq(7, demo_interrupt, 0, "first", &first))
		return -EBUSY;
	return request_irq(8, demo_interrupt, 0, "second", &second);
}
module_init(demo_init);
