/* Memory ends that two functions have asked for; who suspends the device holds its lock, and waits. */
// verdict: race-free
// assume: managed-memory
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/pm.h>
#include <linux/slab.h>

struct demo {
	int *early;
	int *late;
};

static int demo_suspend(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);

	demo->early[0] = 1; // NORACE
	if (demo->late)
		demo->late[0] = 1; // NORACE
	return 0;
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);

	demo->late = devm_kzalloc(dev, 64, GFP_KERNEL); // NORACE
	return 0;
}

static const struct dev_pm_ops demo_pm = { .suspend = demo_suspend, .resume = demo_resume };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->early = devm_kzalloc(&pdev->dev, 64, GFP_KERNEL);
	if (!demo->early)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .pm = &demo_pm } };
module_platform_driver(demo_driver);
