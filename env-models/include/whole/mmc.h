/* MMC hosts: the members that inputs use. Not Linux. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>

struct regulator;
struct mmc_ios { unsigned int clock; unsigned short vdd; unsigned int power_delay_ms; unsigned char bus_width, timing, signal_voltage, drv_type; };
struct mmc_request;
struct mmc_data { unsigned int timeout_ns, blksz, blocks; int error; unsigned int flags, bytes_xfered; int host_cookie; };
struct mmc_command { u32 opcode, arg, resp[4]; unsigned int flags, retries; int error; struct mmc_data *data; struct mmc_request *mrq; };
struct mmc_request { struct mmc_command *sbc, *cmd; struct mmc_data *data; struct mmc_command *stop; void (*done)(struct mmc_request *mrq); bool cap_cmd_during_tfr; int tag; };
struct mmc_slot { int cd_irq; void *handler_priv; };
struct mmc_supply { struct regulator *vmmc, *vqmmc; };
struct mmc_host;
struct mmc_host_ops {
	void (*request)(struct mmc_host *mmc, struct mmc_request *mrq);
	void (*set_ios)(struct mmc_host *mmc, struct mmc_ios *ios);
	int (*get_ro)(struct mmc_host *mmc);
	int (*execute_tuning)(struct mmc_host *mmc, u32 opcode);
	int (*card_busy)(struct mmc_host *mmc);
};
struct mmc_host {
	struct device *parent;
	struct device class_dev;
	const struct mmc_host_ops *ops;
	void *pwrseq;
	unsigned int f_min, f_max, f_init;
	int rescan_disable;
	u32 ocr_avail, ocr_avail_sdio, ocr_avail_sd, ocr_avail_mmc, max_current_330, max_current_300, max_current_180;
	void *ws;
	u32 caps, caps2;
	int fixed_drv_type;
	unsigned int pm_caps, pm_flags, max_seg_size;
	unsigned short max_segs;
	unsigned int max_blk_size, max_blk_count, max_req_size, max_busy_timeout, sdio_irqs;
	struct mmc_ios ios;
	const void *bus_ops;
	unsigned int use_spi_crc:1, doing_init_tune:1, doing_retune:1, retune_crc_disable:1;
	bool can_retune, retune_now, retune_paused;
	int need_retune, hold_retune;
	unsigned int retune_period;
	void *card;
	int detect_change;
	struct mmc_slot slot;
	void *led;
	bool regulator_enabled;
	struct mmc_supply supply;
	struct mmc_request *ongoing_mrq;
	unsigned int actual_clock;
	int dsr_req;
	u32 dsr;
	const void *cqe_ops;
	void *cqe_private;
	int cqe_qdepth;
	bool cqe_on;
	u32 err_stats[16];
	unsigned long private[];
};
int mmc_of_parse(struct mmc_host *mmc);
int mmc_gpiod_request_cd(struct mmc_host *mmc, const char *name, unsigned int i, bool override, unsigned int debounce);
int mmc_gpiod_request_ro(struct mmc_host *mmc, const char *name, unsigned int i, unsigned int debounce);
int mmc_gpio_get_ro(struct mmc_host *mmc);
int mmc_regulator_get_supply(struct mmc_host *mmc);
int mmc_regulator_set_vqmmc(struct mmc_host *mmc, struct mmc_ios *ios);
void mmc_detect_change(struct mmc_host *mmc, unsigned long delay);
void mmc_request_done(struct mmc_host *mmc, struct mmc_request *mrq);
int mmc_send_tuning(struct mmc_host *mmc, u32 opcode, int *error);
struct mmc_host *mmc_alloc_host(int extra, struct device *dev);
int mmc_add_host(struct mmc_host *mmc);
void mmc_remove_host(struct mmc_host *mmc);
void mmc_free_host(struct mmc_host *mmc);
static inline void *mmc_priv(struct mmc_host *mmc) { return (void *)mmc->private; }
int regulator_enable(struct regulator *regulator);
int mmc_gpio_get_cd(struct mmc_host *host);
int mmc_regulator_set_ocr(struct mmc_host *mmc, struct regulator *supply, unsigned short vdd_bit);
