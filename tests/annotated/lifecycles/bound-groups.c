/* The groups of a driver are there only while it is bound. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int limit;
};

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // NORACE

	return demo->limit; // NORACE
}
static DEVICE_ATTR_RO(limit);

static struct attribute *demo_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // NORACE
	demo->limit = 1; // NORACE
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = pdev->dev.driver_data; // NORACE

	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo", .dev_groups = demo_groups },
};
module_platform_driver(demo_driver);
