/* A host is made and removed: requests of a dead one get an error under the lock. */
// verdict: potential
#include <whole/sdhci.h>

extern struct sdhci_host *demo_host(void);
extern struct platform_device *demo_device(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);
static struct sdhci_pltfm_data demo_data;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct sdhci_host *host = demo_host();

	mutex_lock(&lock);
	switch (cmd) {
	case 0: sdhci_cleanup_host(host); break; // RACE!
	case 1: sdhci_remove_host(host, 1); break; // RACE!
	case 3: sdhci_pltfm_init(demo_device(), &demo_data, 8); break; // RACE!
	case 4: sdhci_alloc_host(&demo_device()->dev, 8); break;
	}
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct sdhci_host *host = demo_host();

	mutex_lock(&state_lock);
	host->max_clk = host->caps + host->mmc->f_max; // NORACE
	spin_lock_irq(&host->lock);
	len = host->pending_reset; // NORACE
	host->data_cmd = NULL; // NORACE
	spin_unlock_irq(&host->lock);
	len += host->pending_reset + // RACE!
		!host->data + // RACE!
		host->ier + // RACE!
		!host->align_buffer + // RACE!
		host->mmc->ios.vdd + // RACE!
		host->mmc->pm_flags; // RACE!
	host->align_addr = len; // RACE!
	demo_data.quirks = len; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
