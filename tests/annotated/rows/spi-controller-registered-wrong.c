/* A controller that is not managed ends with its private part when it is unregistered, before an interrupt that was asked
   for before it was registered. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spi/spi.h>

struct demo {
	int level, interrupts;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct spi_controller *ctlr = __spi_alloc_controller(&pdev->dev, sizeof(struct demo), false);
	struct demo *demo;

	if (!ctlr)
		return -ENOMEM;
	demo = spi_controller_get_devdata(ctlr);
	demo->level = 1; // NORACE
	if (devm_request_irq(&pdev->dev, 7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return devm_spi_register_controller(&pdev->dev, ctlr); // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
