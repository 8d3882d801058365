/* An SPI controller ends with its private part when its interrupt is over. */
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

	demo->interrupts++; // RACE: that the interrupt is over is known of what a struct of the module has alone
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct spi_controller *ctlr = spi_alloc_master(&pdev->dev, sizeof(struct demo));
	struct demo *demo;

	if (!ctlr)
		return -ENOMEM;
	demo = spi_controller_get_devdata(ctlr);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, ctlr);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return spi_register_controller(ctlr);
}

static int demo_remove(struct platform_device *pdev)
{
	struct spi_controller *ctlr = platform_get_drvdata(pdev);
	struct demo *demo = spi_controller_get_devdata(ctlr); // RACE: that the interrupt is over is known of what a struct of the module has alone

	free_irq(7, demo);
	spi_unregister_controller(ctlr); // RACE: that the interrupt is over is known of what a struct of the module has alone
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
