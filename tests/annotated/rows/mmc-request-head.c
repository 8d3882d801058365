/* What request does before it starts the device is done with the host claimed; what it does afterwards may come beside who has claimed
   the host next. */
// verdict: potential
#include <whole/mmc-operations.h>
#include <linux/io.h>

struct demo { spinlock_t lock; int level; struct mmc_request *mrq; void *regs; };

static void demo_request(struct mmc_host *mmc, struct mmc_request *mrq)
{
	struct demo *demo = mmc_priv(mmc);
	int level = demo->level; // RACE: until the request may be over, the claim keeps set_ios off; the row cannot say so

	spin_lock(&demo->lock);
	demo->mrq = mrq; // NORACE
	writel(level, demo->regs);
	spin_unlock(&demo->lock);
	demo->level = 0; // RACE!
}
static void demo_set_ios(struct mmc_host *mmc, struct mmc_ios *ios)
{
	((struct demo *)mmc_priv(mmc))->level = ios->clock; // RACE!
}
static const struct mmc_host_ops demo_ops = { .request = demo_request, .set_ios = demo_set_ios };

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	spin_lock_init(&demo->lock);
	mmc->ops = &demo_ops;
	return mmc_add_host(mmc);
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
