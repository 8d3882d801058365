/* DesignWare MMC hosts: the members that inputs use. Not Linux. */
#include <whole/mmc-operations.h>
struct dw_mci;
struct dw_mci_slot { struct mmc_host *mmc; struct dw_mci *host; };
struct dw_mci_dma_ops {
	int (*init)(struct dw_mci *host);
	int (*start)(struct dw_mci *host, unsigned int sg_len);
	void (*complete)(void *host);
	void (*stop)(struct dw_mci *host);
	void (*cleanup)(struct dw_mci *host);
	void (*exit)(struct dw_mci *host);
};
struct dw_mci_drv_data {
	unsigned long *caps;
	u32 num_caps, common_caps;
	int (*init)(struct dw_mci *host);
	void (*set_ios)(struct dw_mci *host, struct mmc_ios *ios);
	int (*parse_dt)(struct dw_mci *host);
	int (*execute_tuning)(struct dw_mci_slot *slot, u32 opcode);
	int (*prepare_hs400_tuning)(struct dw_mci *host, struct mmc_ios *ios);
	int (*switch_voltage)(struct mmc_host *mmc, struct mmc_ios *ios);
	void (*set_data_timeout)(struct dw_mci *host, unsigned int ns);
	u32 (*get_drto_clks)(struct dw_mci *host);
};
struct dw_mci {
	spinlock_t lock, irq_lock;
	void *regs;
	const struct dw_mci_dma_ops *dma_ops;
	struct device *dev;
	const struct dw_mci_drv_data *drv_data;
	void *priv;
	struct dw_mci_slot *slot;
	int sg_len, part, bus_hz;
	void (*push_data)(struct dw_mci *host, void *buf, int cnt);
	void (*pull_data)(struct dw_mci *host, void *buf, int cnt);
};
