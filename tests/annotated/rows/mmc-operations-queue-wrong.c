/* With the software queue, requests start in interrupts: no claim is relied on. */
// verdict: potential
#include <whole/mmc-operations.h>

struct mmc_hsq { struct mmc_host *mmc; };
int mmc_hsq_init(struct mmc_hsq *hsq, struct mmc_host *mmc);
struct demo { struct mmc_hsq hsq; int level; };

static int demo_tuning(struct mmc_host *mmc, u32 opcode) { return ((struct demo *)mmc_priv(mmc))->level++; } // RACE!
static void demo_set_ios(struct mmc_host *mmc, struct mmc_ios *ios) { ((struct demo *)mmc_priv(mmc))->level = ios->clock; } // RACE!
static const struct mmc_host_ops demo_ops = { .execute_tuning = demo_tuning, .set_ios = demo_set_ios };

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	mmc->ops = &demo_ops;
	demo->hsq.mmc = mmc;
	if (mmc_hsq_init(&demo->hsq, mmc)) // RACE: mmc_hsq_init has no row
		return -EIO;
	return mmc_add_host(mmc); // RACE: mmc_hsq_init has no row
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
