/* A host is suspended and resumed at run time: runtime_suspended is the core's under the lock, other members change without. */
// verdict: potential
#include <whole/sdhci.h>

extern struct sdhci_host *demo_host(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

struct demo_part { int level, asked; };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct sdhci_host *host = demo_host();

	mutex_lock(&lock);
	switch (cmd) {
	case 0: sdhci_runtime_suspend_host(host); break; // RACE!
	case 1: sdhci_runtime_resume_host(host, 1); break; // RACE!
	}
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct sdhci_host *host = demo_host();
	struct demo_part *demo = sdhci_priv(host);

	mutex_lock(&state_lock);
	demo->level = host->max_clk + host->sdma_boundary + host->mmc->f_max; // NORACE
	spin_lock_irq(&host->lock);
	len = host->runtime_suspended; // NORACE
	len += host->ier; // RACE!
	spin_unlock_irq(&host->lock);
	len += host->runtime_suspended + // RACE!
		host->clock + // RACE!
		host->pwr + // RACE!
		host->bus_on + // RACE!
		host->cqe_on + // RACE!
		host->preset_enabled + // RACE!
		host->reinit_uhs + // RACE!
		host->timing + // RACE!
		host->drv_type + // RACE!
		host->timeout_clk + // RACE!
		host->mmc->actual_clock + // RACE!
		host->mmc->err_stats[1] + // RACE!
		host->mmc->max_busy_timeout + // RACE!
		host->mmc->regulator_enabled + // RACE!
		host->mmc->detect_change; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct sdhci_host *host = demo_host();

	mutex_lock(&state_lock);
	host->quirks = len; // RACE!
	host->irq = len; // RACE!
	host->flags = len; // RACE!
	host->mmc->ios.timing = len; // RACE!
	host->mmc->supply.vqmmc = NULL; // RACE!
	host->mmc->sdio_irqs = len; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
