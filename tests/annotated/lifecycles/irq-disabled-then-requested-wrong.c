/* The line is switched off first, but to request its first handler switches it on again, whatever was counted. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>

#define DEMO_IRQ 7

static int wakes, events;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	events++; // RACE!
	return IRQ_WAKE_THREAD;
}

static irqreturn_t demo_thread(int irq, void *dev_id)
{
	wakes++; // RACE!
	return IRQ_HANDLED;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	disable_irq(DEMO_IRQ);
	if (request_threaded_irq(DEMO_IRQ, demo_interrupt, demo_thread, 0, "demo", &demo_misc))
		return -EBUSY;
	events = 0; // RACE!
	wakes = 0; // RACE!
	enable_irq(DEMO_IRQ);
	return misc_register(&demo_misc);
}
module_init(demo_init);
