/* Attributes are read only after who binds the driver has created them, whichever of two groups it is. */
// verdict: race-free
// assume: bound-callbacks
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int limit;
	int alarm;
};

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // NORACE

	return demo->limit; // NORACE
}
static DEVICE_ATTR_RO(limit);

static struct attribute *plain_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group plain = { .attrs = plain_attrs };

static ssize_t alarm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // NORACE

	return demo->alarm; // NORACE
}
static DEVICE_ATTR_RO(alarm);
static struct attribute *full_attrs[] = { &dev_attr_alarm.attr, &dev_attr_limit.attr, NULL };
static const struct attribute_group full = { .attrs = full_attrs };

static int demo_probe(struct platform_device *pdev)
{
	const struct attribute_group *group = pdev->id ? &full : &plain;
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // NORACE
	demo->limit = 1; // NORACE
	demo->alarm = 1; // NORACE
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
