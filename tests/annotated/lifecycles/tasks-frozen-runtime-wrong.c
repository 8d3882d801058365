/* A device may be suspended at any time, also while an attribute is read. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/pm.h>

struct demo {
	int limit;
};

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // NORACE

	return demo->limit; // RACE!
}
static DEVICE_ATTR_RO(limit);
static struct attribute *demo_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };

static int demo_suspend(struct device *dev)
{
	struct demo *demo = dev->driver_data; // RACE: that probe comes first is not known of these

	demo->limit = 0; // RACE!
	return 0;
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev->driver_data; // RACE: that probe comes first is not known of these

	demo->limit = 1; // RACE!
	return 0;
}

static const struct dev_pm_ops demo_pm = {
	.runtime_suspend = demo_suspend,
	.runtime_resume = demo_resume,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // RACE: the same
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm, .dev_groups = demo_groups },
};
module_platform_driver(demo_driver);
