/* The groups are no driver's: somebody else makes them known, whenever he likes. */
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
static const struct attribute_group *const demo_groups[] = { &demo_group, NULL };
extern void demo_add(const struct attribute_group *const *groups);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo_add(demo_groups); // RACE: unknown code may write where a constant leads to
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
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
