/* Requests of a command queue, their end, recovery and timeouts come side by side. */
// verdict: potential
#include <whole/mmc-operations.h>

struct demo { int tasks, halted, late, enabled; };

static int demo_enable(struct mmc_host *mmc, struct mmc_card *card)
{
	((struct demo *)mmc_priv(mmc))->enabled = ((struct demo *)mmc_priv(mmc))->late; // RACE!
	return 0;
}
static int demo_request(struct mmc_host *mmc, struct mmc_request *mrq)
{
	((struct demo *)mmc_priv(mmc))->tasks++; // RACE!
	return ((struct demo *)mmc_priv(mmc))->halted + ((struct demo *)mmc_priv(mmc))->enabled; // RACE!
}
static void demo_post_req(struct mmc_host *mmc, struct mmc_request *mrq) { ((struct demo *)mmc_priv(mmc))->tasks--; } // RACE!
static void demo_start(struct mmc_host *mmc) { ((struct demo *)mmc_priv(mmc))->halted = 1; } // RACE!
static void demo_finish(struct mmc_host *mmc) { ((struct demo *)mmc_priv(mmc))->halted = 0; } // RACE!
static bool demo_timeout(struct mmc_host *mmc, struct mmc_request *mrq, bool *recovery) { return ((struct demo *)mmc_priv(mmc))->tasks; } // RACE!
static const struct mmc_cqe_ops demo_cqe = { .cqe_enable = demo_enable, .cqe_request = demo_request, .cqe_post_req = demo_post_req,
	.cqe_recovery_start = demo_start, .cqe_recovery_finish = demo_finish, .cqe_timeout = demo_timeout };

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	mmc->cqe_ops = &demo_cqe;
	if (mmc_add_host(mmc))
		return -EIO;
	demo->late = 1; // RACE!
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
