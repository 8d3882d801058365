/* A command queue of cqhci.c is switched on by one thread at a time; what writes a descriptor has a local of the caller. */
// verdict: race-free
#include <whole/sdhci-operations.h>

struct demo { int on, kept; };

static void demo_enable(struct mmc_host *mmc) { ((struct demo *)mmc_priv(mmc))->on++; } // NORACE
static void demo_pre_enable(struct mmc_host *mmc) { ((struct demo *)mmc_priv(mmc))->on = 0; } // NORACE
static void demo_disable(struct mmc_host *mmc, bool recovery) { (void)READ_ONCE(((struct demo *)mmc_priv(mmc))->kept); } // NORACE
static void demo_dcmd(struct mmc_host *mmc, struct mmc_request *mrq, u64 *data) { *data |= 1; } // NORACE
static const struct cqhci_host_ops demo_ops = { .enable = demo_enable, .pre_enable = demo_pre_enable, .disable = demo_disable,
	.update_dcmd_desc = demo_dcmd };
static const struct cqhci_host_ops *used = &demo_ops;

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);

	if (!mmc)
		return -ENOMEM;
	((struct demo *)mmc_priv(mmc))->kept = 1; // NORACE
	mmc->cqe_private = (void *)used;
	platform_set_drvdata(pdev, mmc);
	return mmc_add_host(mmc);
}
static int demo_remove(struct platform_device *pdev)
{
	struct mmc_host *mmc = platform_get_drvdata(pdev);

	mmc_remove_host(mmc);
	((struct demo *)mmc_priv(mmc))->kept = 0; // NORACE
	mmc_free_host(mmc); // NORACE
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
