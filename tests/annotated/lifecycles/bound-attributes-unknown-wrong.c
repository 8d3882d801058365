/* An attribute is also in a table that a function makes known of which nothing is known. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

void demo_core_add(struct device *dev, const void *table);

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
static const struct attribute *const table[] = { &dev_attr_limit.attr, NULL };
static DEVICE_ATTR(bound, 0444, limit_show, NULL);

static struct attribute *plain_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group plain = { .attrs = plain_attrs };

static ssize_t alarm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // NORACE

	return demo->alarm; // RACE: what a function without a row writes to the device is not known
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
	demo_core_add(&pdev->dev, &dev_attr_bound); // RACE: the function is taken to write what it gets
	pdev->dev.driver_data = demo; // RACE!
	demo->limit = 1; // RACE!
	demo->alarm = 1; // RACE: what a function without a row writes to the device is not known
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
