/* The data of one watchdog is that of another, which is registered before. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/watchdog.h>

struct demo { int level; struct watchdog_device wdd; };
static struct demo *last;

static int demo_start(struct watchdog_device *wdd)
{
	return 0;
}
static int demo_stop(struct watchdog_device *wdd)
{
	struct demo *demo = watchdog_get_drvdata(wdd); // RACE!

	return demo->level; // RACE!
}
static const struct watchdog_ops ops = { .owner = THIS_MODULE, .start = demo_start, .stop = demo_stop };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	watchdog_set_drvdata(&demo->wdd, demo); // RACE: data that are set from elsewhere, too, are taken to be anybody's
	if (last) // RACE!
		watchdog_set_drvdata(&last->wdd, demo); // RACE!
	demo->level = 1; // RACE!
	demo->wdd.ops = &ops;
	last = demo; // RACE!
	return watchdog_register_device(&demo->wdd);
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
