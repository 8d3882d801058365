/* Two lines with one dev_id, the device, are requested by probe and by resume; remove frees one of them. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>

static irqreturn_t demo_irq(int irq, void *data)
{
	struct platform_device *pdev = data;

	pdev->id = 1; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	return request_irq(platform_get_irq(pdev, 0), demo_irq, 0, "a", pdev);
}

static int demo_resume(struct platform_device *pdev)
{
	return request_irq(platform_get_irq(pdev, 1), demo_irq, 0, "b", pdev);
}

static int demo_remove(struct platform_device *pdev)
{
	free_irq(platform_get_irq(pdev, 0), pdev);
	pdev->id = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .resume = demo_resume };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
