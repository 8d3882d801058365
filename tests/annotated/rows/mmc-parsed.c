/* What the firmware says is put in the host before others see it; the driver's own part stays alone. */
// verdict: potential
#include <whole/mmc.h>

extern struct mmc_host *demo_host(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

struct demo { int level, found; };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct mmc_host *mmc = demo_host();

	mutex_lock(&lock);
	mmc_of_parse(mmc); // RACE!
	mmc_gpiod_request_cd(mmc, "cd", 0, false, 0); // RACE!
	mmc_gpiod_request_ro(mmc, "wp", 0, 0); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct mmc_host *mmc = demo_host();
	struct demo *demo = mmc_priv(mmc);

	mutex_lock(&state_lock);
	demo->found = mmc->actual_clock + mmc->f_min + mmc->ios.timing; // RACE: whoever calls it has claimed the host, which no row says
	mmc->need_retune = 0; // RACE: whoever calls it has claimed the host, which no row says
	len = mmc->caps + // RACE!
		mmc->caps2 + // RACE!
		mmc->pm_caps + // RACE!
		mmc->f_max + // RACE!
		mmc->fixed_drv_type + // RACE!
		mmc->dsr_req + mmc->dsr + // RACE!
		mmc->ios.power_delay_ms + // RACE!
		!mmc->pwrseq; // RACE!
	mmc->slot.handler_priv = NULL; // RACE!
	mmc->parent = NULL; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int demo_probe(struct platform_device *pdev)
{
	struct mmc_host *mmc = mmc_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!mmc)
		return -ENOMEM;
	demo = mmc_priv(mmc);
	if (mmc_of_parse(mmc) || mmc_regulator_get_supply(mmc))
		return -ENODEV;
	mmc->caps |= 4; // NORACE
	demo->level = mmc->f_max; // NORACE
	return mmc_add_host(mmc); // RACE!
}

static struct platform_driver demo_driver = { .probe = demo_probe };

static int demo_init(void)
{
	misc_register(&demo_misc);
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
