/* Several devices are suspended at once, and several tasks read attributes at once: all of them share what the module has. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/pm.h>

static int asleep, reads;

struct demo {
	int limit;
};

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // NORACE

	reads++; // RACE!
	return asleep + demo->limit; // NORACE
}
static DEVICE_ATTR_RO(limit);
static struct attribute *demo_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };

static int demo_suspend(struct device *dev)
{
	struct demo *demo = dev->driver_data; // NORACE

	asleep++; // RACE!
	demo->limit = 0; // NORACE
	return 0;
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev->driver_data; // NORACE

	demo->limit = 1; // NORACE
	return 0;
}

static const struct dev_pm_ops demo_pm = {
	.suspend = demo_suspend,
	.resume = demo_resume,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm, .dev_groups = demo_groups },
};
module_platform_driver(demo_driver);
