/* Who uses an exported function has put into its argument what another one has given him. The struct is declared next to the
   driver, and the driver itself stores nothing there. */
// verdict: potential
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include "shared-structs.h"

static irqreturn_t demo_irq(int irq, void *data)
{
	struct shared_dev *dev = data;

	dev->count++; // RACE!
	return IRQ_HANDLED;
}

void shared_poke(struct shared_client *client)
{
	client->dev->count = 0; // RACE!
}
EXPORT_SYMBOL_GPL(shared_poke);

struct shared_dev *shared_find(struct device *dev)
{
	return dev_get_drvdata(dev); // RACE: dev_get_drvdata meets the probe that sets it
}
EXPORT_SYMBOL_GPL(shared_find);

static int demo_probe(struct platform_device *pdev)
{
	struct shared_dev *dev = devm_kzalloc(&pdev->dev, sizeof(*dev), GFP_KERNEL); // RACE!

	if (!dev)
		return -ENOMEM;
	platform_set_drvdata(pdev, dev); // RACE: the lookup may come before
	return devm_request_irq(&pdev->dev, platform_get_irq(pdev, 0), demo_irq, 0, "demo", dev);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .owner = THIS_MODULE },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
