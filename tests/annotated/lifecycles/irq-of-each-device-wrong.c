/* Each device has a line, and all have the same data. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int count;
};

static struct demo demo_all;

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->count++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	int irq = platform_get_irq(pdev, 0);

	return devm_request_irq(&pdev->dev, irq, demo_irq, 0, "demo", &demo_all);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
