/* Two lines with one dev_id: the handler may run twice at once, and takes a lock. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	int rx, tx, events;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	spin_lock(&demo->lock);
	demo->events++; // RACE: how many lines have the dev_id is not known, so that all are freed is not either
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	platform_set_drvdata(pdev, demo);
	demo->rx = platform_get_irq(pdev, 0);
	demo->tx = platform_get_irq(pdev, 1);
	if (request_irq(demo->rx, demo_interrupt, 0, "demo-rx", demo))
		return -EBUSY;
	return request_irq(demo->tx, demo_interrupt, 0, "demo-tx", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->rx, demo);
	free_irq(demo->tx, demo);
	demo->events = 0; // RACE: as above
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
