/* A device may sleep at any time, also while the driver is bound to another one. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/pm.h>

static int last_id;

static int demo_suspend(struct device *dev)
{
	WRITE_ONCE(last_id, -1); // RACE!
	return 0;
}

static const struct dev_pm_ops demo_pm = { .runtime_suspend = demo_suspend };

static int demo_probe(struct platform_device *pdev)
{
	return last_id < 0 ? -EBUSY : 0; // RACE!
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
