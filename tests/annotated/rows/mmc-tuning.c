/* Who tunes sends requests by the driver's own operation, in the same thread, and gets an error. */
// verdict: potential
#include <whole/mmc.h>

struct demo { struct mutex lock; int sent, tuned, level; };

static void demo_request(struct mmc_host *mmc, struct mmc_request *mrq)
{
	struct demo *demo = mmc_priv(mmc);

	mutex_lock(&demo->lock);
	demo->sent++; // NORACE
	mutex_unlock(&demo->lock);
}

static int demo_execute_tuning(struct mmc_host *mmc, u32 opcode)
{
	struct demo *demo = mmc_priv(mmc);
	int error = 0;

	mmc_send_tuning(mmc, opcode, NULL); // RACE!
	mmc_send_tuning(mmc, opcode, &error); // RACE!
	mutex_lock(&demo->lock);
	demo->tuned = error; // NORACE
	mutex_unlock(&demo->lock);
	return mmc_send_tuning(mmc, opcode, &demo->level); // RACE!
}

static int demo_card_busy(struct mmc_host *mmc)
{
	struct demo *demo = mmc_priv(mmc);
	int found;

	mutex_lock(&demo->lock);
	found = demo->sent + demo->tuned + mmc->caps2; // NORACE
	found += demo->level + // RACE!
		mmc->hold_retune + // RACE!
		mmc->retune_now + // RACE!
		mmc->cqe_on; // RACE!
	mmc->need_retune = 0; // RACE!
	mmc->max_blk_size = 512; // RACE!
	mmc->ios.bus_width = 1; // RACE!
	mmc->ios.timing = 1; // NORACE
	mmc->card = NULL; // RACE!
	mmc->ongoing_mrq = NULL; // RACE!
	mutex_unlock(&demo->lock);
	return found;
}

static const struct mmc_host_ops demo_ops = { .request = demo_request, .execute_tuning = demo_execute_tuning, .card_busy = demo_card_busy };

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	mutex_init(&demo->lock);
	mmc->ops = &demo_ops;
	return mmc_add_host(mmc); // NORACE
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
