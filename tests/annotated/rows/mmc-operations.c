/* The core calls most operations of an MMC host with the host claimed, one at a time, and none after mmc_remove_host. */
// verdict: race-free
#include <whole/mmc-operations.h>

struct demo { int clock, retries, prepared, enabled, kept; };

static void demo_set_ios(struct mmc_host *mmc, struct mmc_ios *ios)
{
	struct demo *demo = mmc_priv(mmc);

	demo->clock = ios->clock; // NORACE
	demo->retries++; // NORACE
}
static int demo_voltage(struct mmc_host *mmc, struct mmc_ios *ios)
{
	struct demo *demo = mmc_priv(mmc);

	demo->clock = ios->signal_voltage; // NORACE
	return 0;
}
static int demo_tuning(struct mmc_host *mmc, u32 opcode)
{
	struct demo *demo = mmc_priv(mmc);

	return demo->clock + demo->retries++; // NORACE
}
static int demo_get_ro(struct mmc_host *mmc) { return ((struct demo *)mmc_priv(mmc))->retries++; } // NORACE
static int demo_get_cd(struct mmc_host *mmc) { return ((struct demo *)mmc_priv(mmc))->retries++; } // NORACE
static void demo_event(struct mmc_host *mmc) { ((struct demo *)mmc_priv(mmc))->retries = 0; } // NORACE
static void demo_hw_reset(struct mmc_host *mmc) { ((struct demo *)mmc_priv(mmc))->retries = 0; } // NORACE
static void demo_init_card(struct mmc_host *mmc, struct mmc_card *card) { ((struct demo *)mmc_priv(mmc))->retries = 0; } // NORACE
static int demo_hs400(struct mmc_host *mmc, struct mmc_ios *ios) { return ((struct demo *)mmc_priv(mmc))->clock = ios->timing; } // NORACE
static void demo_strobe(struct mmc_host *mmc, struct mmc_ios *ios) { ((struct demo *)mmc_priv(mmc))->clock = ios->timing; } // NORACE
static int demo_ddr(struct mmc_host *mmc) { return ((struct demo *)mmc_priv(mmc))->retries++; } // NORACE
static void demo_ack(struct mmc_host *mmc) { ((struct demo *)mmc_priv(mmc))->retries++; } // NORACE
static void demo_pre_req(struct mmc_host *mmc, struct mmc_request *mrq) { ((struct demo *)mmc_priv(mmc))->prepared++; } // NORACE
static void demo_sdio(struct mmc_host *mmc, int enable) { ((struct demo *)mmc_priv(mmc))->enabled = enable; } // NORACE
static int demo_busy(struct mmc_host *mmc) { return ((struct demo *)mmc_priv(mmc))->kept; } // NORACE
static int demo_strength(struct mmc_card *card, unsigned int max_dtr, int host_drv, int card_drv, int *type)
{
	*type = host_drv; // NORACE
	return ((struct demo *)mmc_priv(card->host))->kept; // NORACE
}
static const struct mmc_host_ops demo_ops = {
	.set_ios = demo_set_ios, .start_signal_voltage_switch = demo_voltage, .execute_tuning = demo_tuning,
	.get_ro = demo_get_ro, .get_cd = demo_get_cd, .card_event = demo_event, .card_hw_reset = demo_hw_reset,
	.init_card = demo_init_card, .prepare_hs400_tuning = demo_hs400, .hs400_enhanced_strobe = demo_strobe,
	.hs400_prepare_ddr = demo_ddr, .ack_sdio_irq = demo_ack, .pre_req = demo_pre_req, .enable_sdio_irq = demo_sdio,
	.card_busy = demo_busy, .select_drive_strength = demo_strength,
};

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	demo->kept = 1; // NORACE
	demo->clock = 1; // NORACE
	mmc->ops = &demo_ops;
	platform_set_drvdata(pdev, mmc);
	if (mmc_add_host(mmc)) {
		demo->kept = 0; // NORACE
		mmc_free_host(mmc); // NORACE
		return -EIO;
	}
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct mmc_host *mmc = platform_get_drvdata(pdev);
	struct demo *demo = mmc_priv(mmc);

	mmc_remove_host(mmc); // NORACE
	demo->kept = 0; // NORACE
	mmc_free_host(mmc); // NORACE
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
