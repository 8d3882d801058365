/* What only start, ping and set_timeout touch: whoever sets has the device open, so its open is over. */
// verdict: potential
#include <linux/module.h>
#include <linux/watchdog.h>

static int demo_start(struct watchdog_device *wdd)
{
	return wdd->timeout; // NORACE
}

static int demo_set_timeout(struct watchdog_device *wdd, unsigned int timeout)
{
	wdd->timeout = timeout; // NORACE
	return 0;
}

static int demo_ping(struct watchdog_device *wdd)
{
	wdd->pretimeout = 1; // RACE!
	return 0;
}

static const struct watchdog_ops demo_ops = {
	.start = demo_start,
	.ping = demo_ping,
	.set_timeout = demo_set_timeout,
};

static struct watchdog_device demo_wdd = { .ops = &demo_ops };

static int __init demo_init(void)
{
	return watchdog_register_device(&demo_wdd);
}
module_init(demo_init);
