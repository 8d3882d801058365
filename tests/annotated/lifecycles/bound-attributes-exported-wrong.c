/* Not only who binds the driver creates the attributes. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int limit;
	int alarm;
};

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE!

	return demo->limit; // RACE!
}
static DEVICE_ATTR_RO(limit);

static struct attribute *plain_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group plain = { .attrs = plain_attrs };

static ssize_t alarm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE!

	return demo->alarm; // RACE!
}
static DEVICE_ATTR_RO(alarm);
static struct attribute *full_attrs[] = { &dev_attr_alarm.attr, &dev_attr_limit.attr, NULL };
static const struct attribute_group full = { .attrs = full_attrs };

static int demo_probe(struct platform_device *pdev)
{
	const struct attribute_group *group = pdev->id ? &full : &plain;
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // RACE!
	demo->limit = 1; // RACE!
	demo->alarm = 1; // RACE!
	return sysfs_create_group(&pdev->dev.kobj, group);
}

static int demo_remove(struct platform_device *pdev)
{
	sysfs_remove_group(&pdev->dev.kobj, &plain);
	sysfs_remove_group(&pdev->dev.kobj, &full);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
};
module_platform_driver(demo_driver);

int demo_add(struct platform_device *pdev)
{
	return sysfs_create_group(&pdev->dev.kobj, &full);
}
EXPORT_SYMBOL_GPL(demo_add);
