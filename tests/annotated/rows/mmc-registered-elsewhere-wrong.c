/* tmio_mmc_host_probe adds the host: its operations run from then on, until tmio_mmc_host_remove is over. */
// verdict: potential
#include <whole/mmc-operations.h>

struct tmio_mmc_host { struct mmc_host *mmc; void *pdev; };
int tmio_mmc_host_probe(struct tmio_mmc_host *host);
void tmio_mmc_host_remove(struct tmio_mmc_host *host);
struct demo { struct tmio_mmc_host tmio; int level, late, kept; };

static void demo_set_ios(struct mmc_host *mmc, struct mmc_ios *ios)
{
	struct demo *demo = mmc_priv(mmc);

	demo->level = ios->clock + demo->late; // RACE!
}
static const struct mmc_host_ops demo_ops = { .set_ios = demo_set_ios };

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	mmc->ops = &demo_ops;
	platform_set_drvdata(pdev, mmc);
	demo->tmio.mmc = mmc;
	demo->kept = 1; // NORACE
	if (tmio_mmc_host_probe(&demo->tmio)) // RACE: it may do anything to the host
		return -EIO;
	demo->late = 1; // RACE!
	return 0;
}
static int demo_remove(struct platform_device *pdev)
{
	struct mmc_host *mmc = platform_get_drvdata(pdev);

	((struct demo *)mmc_priv(mmc))->level = 0; // RACE!
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
