/* sdhci.c calls some of the host's operations without a claim, in an interrupt and when the device resumes: with a host of sdhci.c
   these exclude nobody. */
// verdict: potential
#include <whole/sdhci-operations.h>

static int seen, enabled;

static int demo_get_cd(struct mmc_host *mmc) { return seen++; } // RACE!
static void demo_event(struct mmc_host *mmc) { seen = 0; } // RACE!
static void demo_set_ios(struct mmc_host *mmc, struct mmc_ios *ios) { enabled++; } // RACE!
static int demo_voltage(struct mmc_host *mmc, struct mmc_ios *ios) { return enabled; } // RACE!
static int demo_tuning(struct mmc_host *mmc, u32 opcode) { return ((struct sdhci_host *)mmc_priv(mmc))->tuning_count++; } // RACE: with sdhci_add_host of a host that is not known to be fresh

static int demo_probe(struct platform_device *pdev)
{
	struct sdhci_host *host = sdhci_alloc_host(&pdev->dev, 0);

	if (IS_ERR(host))
		return -ENOMEM;
	host->mmc_host_ops.get_cd = demo_get_cd; // RACE: that the host is fresh is not said
	host->mmc_host_ops.card_event = demo_event; // RACE: that the host is fresh is not said
	host->mmc_host_ops.set_ios = demo_set_ios; // RACE: that the host is fresh is not said
	host->mmc_host_ops.start_signal_voltage_switch = demo_voltage; // RACE: that the host is fresh is not said
	host->mmc_host_ops.execute_tuning = demo_tuning; // RACE: that the host is fresh is not said
	return sdhci_add_host(host); // RACE: that the host is fresh is not said
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
