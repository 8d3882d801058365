/* SD host controllers: the members that inputs use. Not Linux. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>

struct mmc_ios { unsigned int clock; unsigned char timing; };
struct mmc_data { unsigned int blocks, flags; int error; unsigned int bytes_xfered; };
struct mmc_command { u32 opcode; int error; struct mmc_data *data; };
struct mmc_slot { int cd_irq; void *handler_priv; };
struct mmc_host;
struct mmc_host_ops { int (*get_cd)(struct mmc_host *mmc); };
struct regulator;
struct mmc_host {
	struct device *parent;
	const struct mmc_host_ops *ops;
	u32 caps, caps2;
	struct mmc_ios ios;
	bool regulator_enabled;
	void *card;
	struct mmc_slot slot;
	unsigned int actual_clock;
	u32 err_stats[16];
};
struct sdhci_host;
struct sdhci_ops {
	u32 (*read_l)(struct sdhci_host *host, int reg);
	u16 (*read_w)(struct sdhci_host *host, int reg);
	u8 (*read_b)(struct sdhci_host *host, int reg);
	void (*write_l)(struct sdhci_host *host, u32 val, int reg);
	void (*write_w)(struct sdhci_host *host, u16 val, int reg);
	void (*write_b)(struct sdhci_host *host, u8 val, int reg);
	int (*enable_dma)(struct sdhci_host *host);
};
struct sdhci_host {
	unsigned int quirks, quirks2;
	int irq;
	void *ioaddr;
	const struct sdhci_ops *ops;
	struct mmc_host *mmc;
	spinlock_t lock;
	int flags;
	unsigned int clock;
	u8 pwr;
	bool bus_on, reinit_uhs, use_external_dma;
	struct mmc_command *cmd;
	u32 ier, thread_isr;
	unsigned long private[];
};
struct tmio_mmc_data { void *chan_priv_tx; unsigned long flags; };
struct tmio_mmc_host {
	void *ctl;
	struct mmc_command *cmd;
	int (*write16_hook)(struct tmio_mmc_host *host, int addr);
	struct platform_device *pdev;
	struct tmio_mmc_data *pdata;
	unsigned int bus_shift;
	u32 sdcard_irq_mask;
};
int mmc_gpio_get_cd(struct mmc_host *host);
int mmc_regulator_set_ocr(struct mmc_host *mmc, struct regulator *supply, unsigned short vdd_bit);
