/* Each host of sdhci.c is a fresh one, which nobody has before it is added, and nobody after it is removed. */
// verdict: potential
#include <whole/sdhci-operations.h>

struct demo { int level; };

static void demo_set_clock(struct sdhci_host *host, unsigned int clock) { ((struct demo *)sdhci_priv(host))->level = 1; } // RACE: with probe and remove; and with itself
static unsigned int demo_get_ro(struct sdhci_host *host) { return 0; }
static const struct sdhci_ops demo_ops = { .set_clock = demo_set_clock, .get_ro = demo_get_ro };

static int demo_probe(struct platform_device *pdev)
{
	struct sdhci_host *host = sdhci_alloc_host(&pdev->dev, sizeof(struct demo));

	if (IS_ERR(host))
		return -ENOMEM;
	host->ops = &demo_ops; // RACE: the host is fresh
	((struct demo *)sdhci_priv(host))->level = 0; // RACE: the host is fresh
	return sdhci_add_host(host); // RACE: the host is fresh
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
