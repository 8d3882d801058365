/* Only one of the two lines is freed before what both handlers use is reset. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>

struct queue {
	int irq, events;
};

struct demo {
	struct queue rx, tx;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct queue *queue = dev_id;

	queue->events++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	demo->rx.irq = platform_get_irq(pdev, 0);
	demo->tx.irq = platform_get_irq(pdev, 1);
	if (request_irq(demo->rx.irq, demo_interrupt, 0, "demo-rx", &demo->rx))
		return -EBUSY;
	return request_irq(demo->tx.irq, demo_interrupt, 0, "demo-tx", &demo->tx);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->rx.irq, &demo->rx);
	demo->rx.events = 0; // NORACE
	demo->tx.events = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
