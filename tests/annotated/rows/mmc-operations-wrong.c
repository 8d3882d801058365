/* A request may still be on its way when others have the host; others may complete it. Operations run from mmc_add_host on, and until
   mmc_remove_host is over. */
// verdict: potential
#include <whole/mmc-operations.h>

struct demo { int level, started, completed, busy, enabled, late, early, kept; };

static void demo_request(struct mmc_host *mmc, struct mmc_request *mrq)
{
	struct demo *demo = mmc_priv(mmc);

	demo->started = demo->level; // RACE!
	demo->completed++; // RACE!
}
static void demo_set_ios(struct mmc_host *mmc, struct mmc_ios *ios)
{
	struct demo *demo = mmc_priv(mmc);

	demo->level = ios->clock; // RACE!
	demo->enabled = demo->late; // RACE!
	demo->busy++; // RACE!
	demo->kept = demo->early; // RACE!
}
static void demo_pre_req(struct mmc_host *mmc, struct mmc_request *mrq) { ((struct demo *)mmc_priv(mmc))->completed++; } // RACE!
static void demo_post_req(struct mmc_host *mmc, struct mmc_request *mrq, int err) { ((struct demo *)mmc_priv(mmc))->completed++; } // RACE!
static int demo_card_busy(struct mmc_host *mmc) { return ((struct demo *)mmc_priv(mmc))->busy++; } // RACE!
static void demo_sdio(struct mmc_host *mmc, int enable) { ((struct demo *)mmc_priv(mmc))->enabled = enable; } // RACE!
static int demo_quirk(struct mmc_card *card, unsigned int direction, int size)
{
	return ((struct demo *)mmc_priv(card->host))->completed++; // RACE!
}
static const struct mmc_host_ops demo_ops = {
	.request = demo_request, .set_ios = demo_set_ios, .pre_req = demo_pre_req, .post_req = demo_post_req,
	.card_busy = demo_card_busy, .enable_sdio_irq = demo_sdio, .multi_io_quirk = demo_quirk,
};

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	mmc->ops = &demo_ops;
	platform_set_drvdata(pdev, mmc);
	if (mmc_add_host(mmc))
		return -EIO;
	demo->late = 1; // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct mmc_host *mmc = platform_get_drvdata(pdev);
	struct demo *demo = mmc_priv(mmc);

	demo->early = 1; // RACE!
	mmc_remove_host(mmc);
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
