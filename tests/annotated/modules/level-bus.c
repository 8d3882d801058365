/* Who calls a core: twice with its lock, and once without. */
// with-module: level-core.c
// model: unshared.xml
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/device.h>
#include <linux/slab.h>
#include "level.h"

static DEFINE_MUTEX(bus_lock);

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int value;

	mutex_lock(&bus_lock);
	value = level_get(dev_get_drvdata(dev)); // NORACE
	mutex_unlock(&bus_lock);
	return value;
}

static ssize_t level_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	mutex_lock(&bus_lock);
	level_set(dev_get_drvdata(dev), count); // RACE!
	mutex_unlock(&bus_lock);
	return count;
}
static DEVICE_ATTR_RW(level);

static ssize_t fast_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return level_get(dev_get_drvdata(dev)); // RACE!
}
static DEVICE_ATTR_RO(fast);

static struct attribute *level_attrs[] = { &dev_attr_level.attr, &dev_attr_fast.attr, NULL };
static const struct attribute_group level_group = { .attrs = level_attrs };
static const struct attribute_group *level_groups[] = { &level_group, NULL };

static int bus_probe(struct platform_device *pdev)
{
	struct level *level = devm_kzalloc(&pdev->dev, sizeof(*level), GFP_KERNEL);

	if (!level)
		return -ENOMEM;
	level_init(level);
	platform_set_drvdata(pdev, level);
	return 0;
}

static struct platform_driver bus_driver = {
	.probe = bus_probe,
	.driver = { .name = "bus", .dev_groups = level_groups },
};

static int __init bus_init(void)
{
	return platform_driver_register(&bus_driver);
}
module_init(bus_init);
MODULE_LICENSE("GPL");
