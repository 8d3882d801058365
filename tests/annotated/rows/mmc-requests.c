/* A request is done: the core looks at it and at the host's state of tuning, and at nothing of the driver's. */
// verdict: potential
#include <whole/mmc.h>

static DEFINE_MUTEX(state_lock);

struct demo { spinlock_t lock; struct mmc_request *mrq; int interrupts; };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct mmc_host *mmc = arg;
	struct demo *demo = mmc_priv(mmc);
	struct mmc_request *mrq;
	unsigned long flags;

	spin_lock_irqsave(&demo->lock, flags);
	mrq = demo->mrq; // NORACE
	demo->mrq = NULL; // RACE!
	demo->interrupts++; // NORACE
	spin_unlock_irqrestore(&demo->lock, flags);
	if (mrq)
		mmc_request_done(mmc, mrq); // RACE!
	else
		mmc_detect_change(mmc, 100); // RACE!
	return IRQ_HANDLED;
}

static void demo_request(struct mmc_host *mmc, struct mmc_request *mrq)
{
	struct demo *demo = mmc_priv(mmc);
	unsigned long flags;

	spin_lock_irqsave(&demo->lock, flags);
	demo->mrq = mrq; // RACE!
	spin_unlock_irqrestore(&demo->lock, flags);
}

static void demo_set_ios(struct mmc_host *mmc, struct mmc_ios *ios)
{
	mutex_lock(&state_lock);
	mmc->actual_clock = mmc->ios.clock; // NORACE
	mmc->caps = 0; // RACE!
	mmc->need_retune = 1; // RACE!
	mmc->detect_change = 0; // RACE!
	mmc->ongoing_mrq = NULL; // RACE!
	mmc->card = NULL; // RACE!
	mmc->can_retune = false; // RACE!
	mmc->hold_retune = 0; // RACE!
	mutex_unlock(&state_lock);
}

static int demo_get_ro(struct mmc_host *mmc)
{
	struct demo *demo = mmc_priv(mmc);
	struct mmc_request *mrq;
	int found;

	mutex_lock(&state_lock);
	mrq = demo->mrq; // RACE!
	mrq->cmd->arg = 0; // NORACE
	mrq->cmd->resp[0] = 0; // RACE!
	mrq->cmd->error = 0; // RACE!
	mrq->data->flags = 0; // NORACE
	mrq->tag = 1; // RACE!
	mrq->stop = NULL; // RACE!
	mrq->sbc->error = 0; // RACE!
	found = mrq->cmd->retries + // RACE!
		mrq->data->error + // RACE!
		mrq->data->bytes_xfered; // RACE!
	mutex_unlock(&state_lock);
	return found;
}

static const struct mmc_host_ops demo_ops = { .request = demo_request, .set_ios = demo_set_ios, .get_ro = demo_get_ro };

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	spin_lock_init(&demo->lock);
	mmc->ops = &demo_ops;
	if (request_irq(7, demo_irq, 0, "demo", mmc))
		return -EBUSY;
	return mmc_add_host(mmc); // RACE!
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
