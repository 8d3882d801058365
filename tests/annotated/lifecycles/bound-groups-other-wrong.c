/* The group is one of a kind of devices, too, whose attributes are there whatever driver is bound. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int limit;
};

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE!

	return demo->limit; // RACE!
}
static DEVICE_ATTR_RO(limit);

static struct attribute *demo_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };

struct device_type {
	const char *name;
	const struct attribute_group **groups;
};
extern void demo_add(const struct device_type *type);
static const struct attribute_group *type_groups[] = { &demo_group, NULL };
static const struct device_type demo_type = { .name = "demo", .groups = type_groups };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo_add(&demo_type); // RACE: unknown code may write where a constant leads to
	pdev->dev.driver_data = demo; // RACE!
	demo->limit = 1; // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = pdev->dev.driver_data; // NORACE

	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo", .dev_groups = demo_groups },
};
module_platform_driver(demo_driver);
