/* One of two lines is requested, and freed by the member that it was requested by. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>

struct demo {
	int irq, tx;
	int events;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	demo->irq = platform_get_irq(pdev, 0);
	demo->tx = platform_get_irq(pdev, 1);
	return request_irq(demo->irq, demo_interrupt, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->irq, demo);
	demo->events = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
