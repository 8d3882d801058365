/* A managed MDIO bus ends with its private part when its interrupt is over. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/i2c-mux.h>

struct demo {
	int level, interrupts;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct mii_bus *bus = devm_mdiobus_alloc_size(&pdev->dev, sizeof(struct demo));
	struct demo *demo;

	if (!bus)
		return -ENOMEM;
	demo = bus->priv;
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, bus);
	if (devm_request_irq(&pdev->dev, 7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct mii_bus *bus = platform_get_drvdata(pdev);

	(void)bus;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
