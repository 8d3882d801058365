/* A host is set up and added: what the core finds out is put in it; the driver's own part stays alone. */
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
	case 0: sdhci_setup_host(host); break; // RACE!
	case 1: __sdhci_add_host(host); break; // RACE!
	}
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct sdhci_host *host = demo_host();
	struct demo_part *demo = sdhci_priv(host);

	mutex_lock(&state_lock);
	demo->level = host->irq_wake_enabled; // RACE: a function that a table does not have is taken for one that is not known
	host->mmc->fixed_drv_type = host->sdma_boundary + host->mmc->dsr; // RACE: a function that a table does not have is taken for one that is not known
	spin_lock_irq(&host->lock); // RACE!
	len = host->pending_reset; // RACE: a function that a table does not have is taken for one that is not known
	spin_unlock_irq(&host->lock);
	len += host->quirks + // RACE!
		host->version + // RACE!
		host->caps + host->caps1 + // RACE!
		host->flags + // RACE!
		host->max_clk + // RACE!
		host->adma_table_sz + // RACE!
		host->tuning_count + // RACE!
		host->dma_mask; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct sdhci_host *host = demo_host();

	mutex_lock(&state_lock);
	len = host->ier + // RACE!
		host->cqe_on + host->mmc->ios.clock + // RACE!
		!host->complete_wq + // RACE!
		host->mmc->caps + // RACE!
		host->mmc->f_min + // RACE!
		host->mmc->ocr_avail + // RACE!
		host->mmc->max_blk_count + // RACE!
		!host->mmc->cqe_ops + // RACE!
		!host->adma_table; // RACE!
	host->ocr_mask = len; // RACE!
	host->hw_name = "demo"; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
