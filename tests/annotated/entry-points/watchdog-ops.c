/* Operations of a watchdog: wd_data->lock, which open, reboot and unregistering do not take. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/platform_device.h>
#include <linux/watchdog.h>

struct demo {
	struct watchdog_device wdd;
	int margin, left, kicks, stops;
	int before, after;
};

static int demo_start(struct watchdog_device *wdd)
{
	struct demo *demo = container_of(wdd, struct demo, wdd);

	demo->kicks = demo->margin; // RACE!
	demo->stops = 0; // RACE!
	return demo->before + demo->after; // RACE!
}

static int demo_stop(struct watchdog_device *wdd)
{
	struct demo *demo = container_of(wdd, struct demo, wdd);

	demo->stops = 1; // RACE!
	return 0;
}

static int demo_set_timeout(struct watchdog_device *wdd, unsigned int timeout)
{
	struct demo *demo = container_of(wdd, struct demo, wdd);

	wdd->timeout = timeout; // NORACE
	demo->margin = timeout; // NORACE
	demo->left = timeout; // NORACE
	return 0;
}

static unsigned int demo_get_timeleft(struct watchdog_device *wdd)
{
	struct demo *demo = container_of(wdd, struct demo, wdd);

	return demo->left; // NORACE
}

static const struct watchdog_ops demo_ops = {
	.owner = THIS_MODULE,
	.start = demo_start,
	.stop = demo_stop,
	.set_timeout = demo_set_timeout,
	.get_timeleft = demo_get_timeleft,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	demo->wdd.ops = &demo_ops;
	demo->before = 1; // NORACE
	err = watchdog_register_device(&demo->wdd);
	demo->after = 1; // RACE!
	return err;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
