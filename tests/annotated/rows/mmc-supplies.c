/* Regulators of a host: found and set by the core; either may be an error. */
// verdict: potential
#include <whole/mmc.h>
#include <linux/err.h>

extern struct mmc_host *demo_host(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);
static int missing, level;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct mmc_host *mmc = demo_host();
	static struct mmc_ios ios;

	mutex_lock(&lock);
	mmc_regulator_get_supply(mmc); // RACE!
	if (IS_ERR(mmc->supply.vmmc))
		missing++; // RACE!
	level++; // NORACE
	ios.signal_voltage = arg; // NORACE
	mmc_regulator_set_vqmmc(mmc, &ios); // RACE!
	mmc_gpio_get_ro(mmc); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct mmc_host *mmc = demo_host();

	mutex_lock(&state_lock);
	len = missing; // RACE!
	mmc->caps = len; // NORACE
	len += mmc->ocr_avail; // RACE!
	mmc->ios.vdd = len; // RACE!
	len += !mmc->supply.vmmc; // RACE!
	mmc->supply.vqmmc = NULL; // RACE!
	mmc->slot.handler_priv = NULL; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
