/* What the cores of classes call under a lock of their own, and what they call without it. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/clk-provider.h>
#include <linux/rtc.h>
#include <linux/watchdog.h>
#include <linux/hw_random.h>

/* clocks: one mutex for all */
static int clock, clock_enabled;

static int clk_prepare(struct clk_hw *hw)
{
	clock++; // NORACE
	clock_enabled++; // RACE!
	return 0;
}

static void clk_unprepare(struct clk_hw *hw)
{
	clock--; // NORACE
}

static int clk_set_rate(struct clk_hw *hw, unsigned long rate, unsigned long parent_rate)
{
	clock = rate; // NORACE
	return 0;
}

static void clk_disable(struct clk_hw *hw)
{
	clock_enabled--; // RACE!
}

static const struct clk_ops clk_ops = {
	.prepare = clk_prepare,
	.unprepare = clk_unprepare,
	.set_rate = clk_set_rate,
	.disable = clk_disable,
};
static const struct clk_init_data clk_data = { .name = "demo", .ops = &clk_ops };
static struct clk_hw clk_hw = { .init = &clk_data };

/* clocks of the day: one mutex for each */
struct day {
	int alarm, shown;
	struct device dev;
};

static int day_read_alarm(struct device *dev, struct rtc_wkalrm *alarm)
{
	alarm->enabled = container_of(dev, struct day, dev)->alarm; // NORACE
	container_of(dev, struct day, dev)->shown++; // RACE!
	return 0;
}

static int day_set_alarm(struct device *dev, struct rtc_wkalrm *alarm)
{
	container_of(dev, struct day, dev)->alarm = alarm->enabled; // NORACE
	return 0;
}

static int day_alarm_irq_enable(struct device *dev, unsigned int enabled)
{
	container_of(dev, struct day, dev)->alarm = enabled; // NORACE
	return 0;
}

static int day_read_offset(struct device *dev, long *offset)
{
	*offset = container_of(dev, struct day, dev)->alarm; // NORACE
	return 0;
}

static int day_set_offset(struct device *dev, long offset)
{
	container_of(dev, struct day, dev)->alarm = offset; // NORACE
	return 0;
}

static int day_ioctl(struct device *dev, unsigned int cmd, unsigned long arg)
{
	return container_of(dev, struct day, dev)->alarm; // NORACE
}

static int day_proc(struct device *dev, struct seq_file *seq)
{
	return container_of(dev, struct day, dev)->shown; // RACE!
}

static const struct rtc_class_ops day_ops = {
	.read_alarm = day_read_alarm,
	.set_alarm = day_set_alarm,
	.alarm_irq_enable = day_alarm_irq_enable,
	.read_offset = day_read_offset,
	.set_offset = day_set_offset,
	.ioctl = day_ioctl,
	.proc = day_proc,
};

/* watchdogs: one mutex for each, but not when it starts or when the machine restarts */
static int watchdog_set_pretimeout(struct watchdog_device *wdd, unsigned int timeout)
{
	wdd->pretimeout = timeout; // NORACE
	wdd->timeout = timeout; // RACE!
	return 0;
}

static unsigned int watchdog_status(struct watchdog_device *wdd)
{
	return wdd->pretimeout; // NORACE
}

static long watchdog_ioctl(struct watchdog_device *wdd, unsigned int cmd, unsigned long arg)
{
	wdd->pretimeout = cmd; // NORACE
	wdd->status = cmd; // NORACE
	return 0;
}

static int watchdog_start(struct watchdog_device *wdd)
{
	return wdd->status; // NORACE
}

static int watchdog_restart(struct watchdog_device *wdd, unsigned long action, void *data)
{
	wdd->timeout = 0; // RACE!
	return 0;
}

static const struct watchdog_ops watchdog_ops = {
	.owner = THIS_MODULE,
	.start = watchdog_start,
	.set_pretimeout = watchdog_set_pretimeout,
	.status = watchdog_status,
	.ioctl = watchdog_ioctl,
	.restart = watchdog_restart,
};
static struct watchdog_device watchdog = { .ops = &watchdog_ops };

/* random numbers: one mutex for reading, another for all else */
static int random_bits, random_state;

static int random_present(struct hwrng *rng, int wait)
{
	random_bits++; // NORACE
	random_state++; // RACE!
	return 1;
}

static int random_data(struct hwrng *rng, u32 *data)
{
	*data = random_bits++; // NORACE
	return 4;
}

static int random_init(struct hwrng *rng)
{
	random_state = 0; // RACE!
	return 0;
}
static struct hwrng random = {
	.init = random_init,
	.data_present = random_present,
	.data_read = random_data,
};

static int __init demo_init(void)
{
	if (devm_clk_hw_register(NULL, &clk_hw))
		return -EBUSY;
	if (!devm_rtc_device_register(NULL, "demo", &day_ops, THIS_MODULE))
		return -EBUSY;
	if (hwrng_register(&random))
		return -EBUSY;
	return watchdog_register_device(&watchdog);
}
module_init(demo_init);
