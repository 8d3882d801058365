/* A watchdog that nobody unregisters, in memory that ends. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/watchdog.h>

struct demo {
	struct watchdog_device wdd;
	unsigned int period;
	unsigned int starts;
};

static int demo_start(struct watchdog_device *wdd)
{
	struct demo *demo = watchdog_get_drvdata(wdd); // RACE!

	demo->starts = 1; // RACE!
	return 0;
}

static int demo_set_timeout(struct watchdog_device *wdd, unsigned int timeout)
{
	struct demo *demo = watchdog_get_drvdata(wdd); // RACE!

	demo->period = timeout; // RACE!
	return 0;
}

static const struct watchdog_ops demo_ops = { .start = demo_start, .set_timeout = demo_set_timeout };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->wdd.ops = &demo_ops;
	watchdog_set_drvdata(&demo->wdd, demo);
	platform_set_drvdata(pdev, demo);
	watchdog_register_device(&demo->wdd);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
