/* A host is suspended: ier changes without the lock, the host's operations print registers; the driver's part stays alone. */
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
	if (cmd == 0)
		sdhci_suspend_host(host); // RACE!
	else
		host->ops->dump_vendor_regs(host); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct sdhci_host *host = demo_host();
	struct demo_part *demo = sdhci_priv(host);

	mutex_lock(&state_lock);
	demo->level = host->clock + host->pwr + host->mmc->actual_clock; // NORACE
	host->timing = host->runtime_suspended; // NORACE
	spin_lock_irq(&host->lock);
	len = host->ier; // RACE!
	spin_unlock_irq(&host->lock);
	len += host->irq_wake_enabled; // RACE!
	host->mmc->pm_flags = len; // RACE!
	host->ioaddr = NULL; // RACE!
	host->irq = len; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
