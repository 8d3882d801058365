/* Each device has a line, and data of its own. */
// verdict: race-free
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int count;
};

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->count++; // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int irq = platform_get_irq(pdev, 0);

	if (!demo)
		return -ENOMEM;
	return devm_request_irq(&pdev->dev, irq, demo_irq, 0, "demo", demo);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
