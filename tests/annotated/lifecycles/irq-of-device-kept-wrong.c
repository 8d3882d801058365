/* Nobody gives the line back. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/interrupt.h>

struct demo {
	int events;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct platform_device *pdev = dev_id;
	struct demo *demo = pdev->dev.driver_data; // RACE!

	return READ_ONCE(demo->events) ? IRQ_HANDLED : IRQ_NONE;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int irq = platform_get_irq(pdev, 0);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // RACE!
	return request_irq(irq, demo_interrupt, 0, "demo", pdev);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
