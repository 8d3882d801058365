/* The core starts and stops a host: it sets ios beside an interrupt that looks at it. */
// verdict: potential
#include <whole/mmc.h>

struct demo { unsigned int clock; };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct mmc_host *mmc = arg;
	struct demo *demo = mmc_priv(mmc);

	demo->clock = mmc->ios.clock + // RACE!
		mmc->caps + // RACE!
		mmc->pm_flags; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);

	if (!mmc)
		return -ENOMEM;
	platform_set_drvdata(pdev, mmc);
	if (request_irq(7, demo_irq, 0, "demo", mmc))
		return -EBUSY;
	return mmc_add_host(mmc); // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	struct mmc_host *mmc = platform_get_drvdata(pdev);

	mmc_remove_host(mmc); // RACE!
	free_irq(7, mmc);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
