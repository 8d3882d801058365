/* sdhci.c sets clocks and resets also without a claim or a lock, and when a device resumes, also after its host is removed. What sets a host
   up runs in the thread of the probe. */
// verdict: potential
#include <whole/sdhci-operations.h>
#include <linux/pm.h>

struct demo { int phase, clock, resets; };
static int rates, gone, late, early;

static int demo_tuning(struct sdhci_host *host, u32 opcode) { return ((struct demo *)sdhci_priv(host))->clock++; } // RACE!
static void demo_set_clock(struct sdhci_host *host, unsigned int clock) { ((struct demo *)sdhci_priv(host))->clock = clock; } // RACE!
static void demo_reset(struct sdhci_host *host, u8 mask) { ((struct demo *)sdhci_priv(host))->resets = gone; } // RACE!
static unsigned int demo_max_clock(struct sdhci_host *host) { return rates++; } // RACE!
static void demo_set_ios(struct mmc_host *mmc, struct mmc_ios *ios) { late = early; } // RACE!
static const struct sdhci_ops demo_ops = { .platform_execute_tuning = demo_tuning, .set_clock = demo_set_clock, .reset = demo_reset,
	.get_max_clock = demo_max_clock };

static irqreturn_t demo_other(int irq, void *arg) { rates = 0; return IRQ_HANDLED; } // RACE!

static int demo_probe(struct platform_device *pdev)
{
	struct sdhci_host *host = sdhci_alloc_host(&pdev->dev, sizeof(struct demo));

	if (IS_ERR(host))
		return -ENOMEM;
	host->ops = &demo_ops; // RACE: that the host is fresh is not said
	host->mmc_host_ops.set_ios = demo_set_ios; // RACE: that the host is fresh is not said
	early = 1; // RACE!
	platform_set_drvdata(pdev, host); // RACE: that the host is fresh is not said
	if (request_irq(7, demo_other, 0, "demo", &rates))
		return -EBUSY;
	return sdhci_add_host(host); // RACE: that the host is fresh is not said
}
static int demo_remove(struct platform_device *pdev)
{
	struct sdhci_host *host = platform_get_drvdata(pdev);

	sdhci_remove_host(host, 0); // RACE: with sdhci_runtime_resume_host
	gone = 1; // RACE!
	late = 1; // RACE!
	return 0;
}
static int demo_resume(struct device *dev)
{
	sdhci_runtime_resume_host(dev_get_drvdata(dev), 0); // RACE: with sdhci_remove_host
	return 0;
}
static const struct dev_pm_ops demo_pm = { .runtime_resume = demo_resume };
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo", .pm = &demo_pm } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
