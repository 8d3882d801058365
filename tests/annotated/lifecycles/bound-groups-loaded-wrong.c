/* Probe takes the groups out of its driver, and makes them known too early. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/sysfs.h>

struct demo { int limit; };
static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE!
	return READ_ONCE(demo->limit);
}
static DEVICE_ATTR_RO(limit);
static struct attribute *demo_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };
int device_add_groups(struct device *dev, const struct attribute_group **groups);
int sysfs_create_groups(struct kobject *kobj, const struct attribute_group **groups);
int devm_device_add_groups(struct device *dev, const struct attribute_group **groups);

static struct platform_driver demo_driver;
static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	device_add_groups(&pdev->dev, demo_driver.driver.dev_groups);
	pdev->dev.driver_data = demo; // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe,  .driver = { .name = "demo", .dev_groups = demo_groups } };
module_platform_driver(demo_driver);
