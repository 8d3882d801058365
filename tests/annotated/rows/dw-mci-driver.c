/* A driver of dw_mmc.c: init and parse_dt come one after the other in its probe, before all else; who tunes has claimed the host. */
// verdict: race-free
#include "dw-mci.h"

struct demo { int rate, phase; };

static int demo_parse_dt(struct dw_mci *host)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->rate = 1;
	host->priv = demo; // NORACE
	host->bus_hz = 1; // NORACE
	return 0;
}
static int demo_init(struct dw_mci *host) { host->bus_hz = 2; return 0; } // NORACE
static void demo_set_ios(struct dw_mci *host, struct mmc_ios *ios) { (void)READ_ONCE(host->bus_hz); } // NORACE
static int demo_hs400(struct dw_mci *host, struct mmc_ios *ios) { return host->part += host->bus_hz; } // NORACE
static int demo_tuning(struct dw_mci_slot *slot, u32 opcode) { return slot->host->part++; } // NORACE
static const struct dw_mci_drv_data demo_data = { .parse_dt = demo_parse_dt, .init = demo_init, .set_ios = demo_set_ios,
	.prepare_hs400_tuning = demo_hs400, .execute_tuning = demo_tuning };
int dw_mci_pltfm_register(struct platform_device *pdev, const struct dw_mci_drv_data *data);
int dw_mci_pltfm_remove(struct platform_device *pdev);

static int demo_probe(struct platform_device *pdev) { return dw_mci_pltfm_register(pdev, &demo_data); }
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
