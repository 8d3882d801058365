/* A host ends with the driver's part beside a work that uses it, and one whose work is over. The operations are entry points. */
// verdict: potential
#include <linux/workqueue.h>
#include <whole/sdhci.h>

struct demo { struct work_struct work; int level; };

static unsigned int demo_get_max_clock(struct sdhci_host *host)
{
	struct demo *demo = sdhci_priv(host);

	return demo->level; // RACE!
}

static void demo_set_clock(struct sdhci_host *host, unsigned int clock)
{
	struct demo *demo = sdhci_priv(host);

	demo->level = clock; // RACE!
}

static const struct sdhci_ops demo_ops = { .set_clock = demo_set_clock, .get_max_clock = demo_get_max_clock };
static const struct sdhci_pltfm_data demo_data = { .ops = &demo_ops };

static int demo_probe(struct platform_device *pdev)
{
	struct sdhci_host *host = sdhci_pltfm_init(pdev, &demo_data, sizeof(struct demo)); // RACE!

	if (IS_ERR(host))
		return PTR_ERR(host);
	return sdhci_add_host(host); // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	struct sdhci_host *host = platform_get_drvdata(pdev); // RACE!

	sdhci_remove_host(host, 0); // RACE!
	sdhci_pltfm_free(pdev); // RACE!
	return 0;
}

static int demo_late_remove(struct platform_device *pdev)
{
	sdhci_free_host(platform_get_drvdata(pdev)); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
static struct platform_driver demo_late_driver = { .probe = demo_probe, .remove = demo_late_remove };

static int __init demo_init(void)
{
	platform_driver_register(&demo_late_driver);
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
