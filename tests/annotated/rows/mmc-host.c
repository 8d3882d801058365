/* An MMC host ends with its private part when its interrupt is over. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/mmc/host.h>

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
	struct mmc_host *host = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!host)
		return -ENOMEM;
	demo = mmc_priv(host);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, host);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return mmc_add_host(host);
}

static int demo_remove(struct platform_device *pdev)
{
	struct mmc_host *host = platform_get_drvdata(pdev);
	struct demo *demo = mmc_priv(host);

	mmc_remove_host(host);
	free_irq(7, demo);
	mmc_free_host(host); // RACE: that the interrupt is over is known of what a struct of the module has alone
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
