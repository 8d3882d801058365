/* Stopping finds its own struct by the data of the watchdog, and runs once that is registered, though the device knows the struct before. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/watchdog.h>

struct demo { int level; struct watchdog_device wdd; };

static int demo_start(struct watchdog_device *wdd)
{
	return 0;
}
static int demo_stop(struct watchdog_device *wdd)
{
	struct demo *demo = watchdog_get_drvdata(wdd);

	return demo->level; // NORACE
}
static const struct watchdog_ops ops = { .owner = THIS_MODULE, .start = demo_start, .stop = demo_stop };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	demo->level = 1; // NORACE
	watchdog_set_drvdata(&demo->wdd, demo);
	demo->wdd.ops = &ops;
	return watchdog_register_device(&demo->wdd);
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
