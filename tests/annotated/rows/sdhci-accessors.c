/* Registers of another driver's host (sdhci_ops): who reads and writes them looks at the clock, the command and the power, and at nothing else. */
// verdict: potential
#include <whole/sdhci.h>

extern struct sdhci_host *demo_host(void);
extern struct tmio_mmc_host *demo_tmio(void);
extern struct regulator *demo_supply(void);

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct tmio_mmc_host *tmio = demo_tmio();
	struct sdhci_host *host = demo_host();

	mutex_lock(&lock);
	host->ops->write_l(host, host->ops->read_l(host, 0x10), 0x10); // RACE!
	host->ops->write_w(host, host->ops->read_w(host, 0x20), 0x20); // RACE!
	host->ops->write_b(host, host->ops->read_b(host, 0x30), 0x30); // RACE!
	host->ops->enable_dma(host); // RACE!
	if (tmio->write16_hook(tmio, 0)) // RACE!
		tmio->cmd = NULL; // NORACE
	if (!mmc_gpio_get_cd(host->mmc)) // RACE!
		mmc_regulator_set_ocr(host->mmc, demo_supply(), 1); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct tmio_mmc_host *tmio = demo_tmio();
	struct sdhci_host *host = demo_host();

	mutex_lock(&state_lock);
	host->ier = len; // NORACE
	host->thread_isr = len; // NORACE
	host->irq = len; // NORACE
	host->reinit_uhs = len; // NORACE
	host->mmc->actual_clock = len; // NORACE
	host->clock = len; // RACE!
	host->pwr = len; // RACE!
	host->flags = len; // RACE!
	host->mmc->caps2 = len; // RACE!
	host->mmc->ios.timing = len; // RACE!
	host->mmc->err_stats[1] = len; // RACE!
	host->mmc->slot.handler_priv = NULL; // RACE!
	host->cmd->opcode = len; // RACE!
	host->use_external_dma = len; // RACE!
	tmio->sdcard_irq_mask = len; // NORACE
	tmio->pdata->flags = len; // RACE!
	len = host->mmc->regulator_enabled; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
