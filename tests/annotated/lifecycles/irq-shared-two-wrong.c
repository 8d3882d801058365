/* Of the two handlers on the line only one is freed. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/spinlock.h>

struct part {
	int events;
};

struct demo {
	struct part status, errors;
	int irq;
};

static irqreturn_t status_interrupt(int irq, void *dev_id)
{
	struct part *part = dev_id;

	part->events++; // RACE: that each handler has only its own dev_id is not followed where another one stays
	return IRQ_HANDLED;
}

static irqreturn_t errors_interrupt(int irq, void *dev_id)
{
	struct part *part = dev_id;

	part->events++; // RACE!
	return IRQ_NONE;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->irq = platform_get_irq(pdev, 0);
	platform_set_drvdata(pdev, demo);
	if (request_irq(demo->irq, status_interrupt, IRQF_SHARED, "status", &demo->status))
		return -EBUSY;
	return request_irq(demo->irq, errors_interrupt, IRQF_SHARED, "errors", &demo->errors);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->irq, &demo->status);
	demo->status.events = 0; // NORACE
	demo->errors.events = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
