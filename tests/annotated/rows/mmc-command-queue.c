/* A command queue is enabled and disabled one at a time, and not used once its host is removed. */
// verdict: race-free
#include <whole/mmc-operations.h>

struct demo { int enabled, kept; };

static int demo_enable(struct mmc_host *mmc, struct mmc_card *card)
{
	((struct demo *)mmc_priv(mmc))->enabled++; // NORACE
	return 0;
}
static void demo_disable(struct mmc_host *mmc) { ((struct demo *)mmc_priv(mmc))->enabled--; } // NORACE
static int demo_idle(struct mmc_host *mmc) { return ((struct demo *)mmc_priv(mmc))->kept; } // NORACE
static void demo_off(struct mmc_host *mmc) { (void)READ_ONCE(((struct demo *)mmc_priv(mmc))->kept); } // NORACE
static bool demo_timeout(struct mmc_host *mmc, struct mmc_request *mrq, bool *recovery)
{
	*recovery = true; // NORACE
	return ((struct demo *)mmc_priv(mmc))->kept; // NORACE
}
static const struct mmc_cqe_ops demo_cqe = { .cqe_enable = demo_enable, .cqe_disable = demo_disable, .cqe_wait_for_idle = demo_idle,
	.cqe_off = demo_off, .cqe_timeout = demo_timeout };

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	demo->kept = 1; // NORACE
	mmc->cqe_ops = &demo_cqe;
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
