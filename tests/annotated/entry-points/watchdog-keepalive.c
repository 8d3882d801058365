/* Reporting the last ping pings in the thread that reports, without the lock and with nobody's file open. */
// verdict: potential
#include <linux/module.h>
#include <linux/watchdog.h>
#include <linux/platform_device.h>

static struct watchdog_device demo_wdd;

static int demo_start(struct watchdog_device *wdd)
{
	return 0;
}

static int demo_ping(struct watchdog_device *wdd)
{
	return demo_wdd.timeout; // RACE!
}

static int demo_set_timeout(struct watchdog_device *wdd, unsigned int timeout)
{
	demo_wdd.timeout = timeout; // RACE!
	return 0;
}

static const struct watchdog_ops demo_ops = {
	.start = demo_start,
	.ping = demo_ping,
	.set_timeout = demo_set_timeout,
};

static struct watchdog_device demo_wdd = { .ops = &demo_ops };

static int demo_probe(struct platform_device *pdev)
{
	int err = watchdog_register_device(&demo_wdd); // RACE: two devices at once are not excluded

	return err ? err : watchdog_set_last_hw_keepalive(&demo_wdd, 0);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
