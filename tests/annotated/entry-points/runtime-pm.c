/* Runtime power management: suspend and resume exclude each other, idle only itself. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>

struct demo {
	int powered, idles, last;
};

static int demo_suspend(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: enabling runtime power management is no registration

	demo->powered = 0; // NORACE
	demo->last = 0; // RACE!
	return 0;
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: enabling runtime power management is no registration

	demo->powered = 1; // NORACE
	return 0;
}

static int demo_idle(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: enabling runtime power management is no registration

	demo->idles++; // NORACE
	demo->last = 1; // RACE!
	return 0;
}

static const struct dev_pm_ops demo_pm = { SET_RUNTIME_PM_OPS(demo_suspend, demo_resume, demo_idle) };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo); // RACE: enabling runtime power management is no registration
	pm_runtime_enable(&pdev->dev);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
