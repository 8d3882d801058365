/* What the firmware says is put in the host that the driver data are, and in the number behind it. */
// verdict: potential
#include <whole/sdhci.h>

extern struct platform_device *demo_device(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);
static int level, seen;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	sdhci_get_property(demo_device()); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct sdhci_host *host = dev_get_drvdata(&demo_device()->dev);
	struct sdhci_pltfm_host *pltfm = sdhci_priv(host);

	mutex_lock(&state_lock);
	level = host->mmc->f_max + host->mmc->caps; // RACE: the same as below
	level += pltfm->clock + // RACE!
		host->quirks + // RACE!
		host->quirks2 + // RACE!
		host->mmc->pm_caps; // RACE!
	seen++; // NORACE
	level += host->clock; // RACE: where the number is in the private part is not told
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
