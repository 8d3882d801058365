/* Operations of a driver of sdhci.c: what only who has claimed the host calls, what sdhci_setup_host calls in the thread of the
   probe, what is called under the host's lock. */
// verdict: potential
#include <whole/sdhci-operations.h>

struct demo { int phase, rate, steps; };

static int demo_tuning(struct sdhci_host *host, u32 opcode) { return ((struct demo *)sdhci_priv(host))->phase++; } // NORACE
static unsigned int demo_get_ro(struct sdhci_host *host) { return ((struct demo *)sdhci_priv(host))->phase; } // NORACE
static void demo_hw_reset(struct sdhci_host *host) { ((struct demo *)sdhci_priv(host))->phase = 0; } // NORACE
static u32 demo_irq(struct sdhci_host *host, u32 mask) { return ((struct demo *)sdhci_priv(host))->steps++; } // NORACE
static void demo_timeout(struct sdhci_host *host, struct mmc_command *cmd) { ((struct demo *)sdhci_priv(host))->steps++; } // NORACE
static void demo_adma(struct sdhci_host *host, u32 mask) { ((struct demo *)sdhci_priv(host))->steps++; } // NORACE
static const struct sdhci_ops demo_ops = { .platform_execute_tuning = demo_tuning, .get_ro = demo_get_ro, .hw_reset = demo_hw_reset,
	.irq = demo_irq, .set_timeout = demo_timeout, .adma_workaround = demo_adma };

static int demo_probe(struct platform_device *pdev)
{
	struct sdhci_host *host = sdhci_alloc_host(&pdev->dev, sizeof(struct demo));

	if (IS_ERR(host))
		return -ENOMEM;
	host->ops = &demo_ops; // RACE: that the host is fresh is not said
	return sdhci_add_host(host); // RACE: that the host is fresh is not said
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
