/* The line is requested in the middle of probe, and what follows takes no lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	int irq, events;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	spin_lock(&demo->lock);
	demo->events++; // RACE!
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	demo->irq = platform_get_irq(pdev, 0);
	err = request_irq(demo->irq, demo_interrupt, 0, "demo", demo);
	if (err)
		return err;
	demo->events = 1; // RACE!
	platform_set_drvdata(pdev, demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
