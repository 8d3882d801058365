/* A line with the device as its dev_id is requested by probe alone, under the device's lock, and freed by remove under it. */
// verdict: race-free
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>

static irqreturn_t demo_irq(int irq, void *data)
{
	struct platform_device *pdev = data;

	pdev->id = 1; // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	return request_irq(platform_get_irq(pdev, 0), demo_irq, 0, "a", pdev);
}

static int demo_remove(struct platform_device *pdev)
{
	free_irq(platform_get_irq(pdev, 0), pdev);
	pdev->id = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
