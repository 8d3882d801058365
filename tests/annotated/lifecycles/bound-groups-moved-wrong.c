/* Init moves the groups of the driver, which it finds in an array, to a device. */
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
	
	pdev->dev.driver_data = demo; // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe,  .driver = { .name = "demo", .dev_groups = demo_groups } };


static struct platform_driver *drvs[] = { &demo_driver };
static const struct attribute_group **keep;
struct bus_type { const char *name; const struct attribute_group **dev_groups; };
static struct bus_type bus;
int bus_register(struct bus_type *b);
static int __init demo_init(void)
{
	bus.dev_groups = drvs[0]->driver.dev_groups;
	drvs[0]->driver.dev_groups = NULL;
	bus_register(&bus);
	return platform_driver_register(drvs[0]);
}
module_init(demo_init);
