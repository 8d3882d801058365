/* An attribute is in two groups, of which one is removed, and the other at times: it may still be read through the other. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int level, mode, count;
};

static ssize_t mode_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!
	int mode;

	mutex_lock(&demo->lock);
	mode = demo->mode++; // RACE!
	mutex_unlock(&demo->lock);
	return mode;
}
static DEVICE_ATTR_RO(mode);

static struct attribute *demo_attributes[] = { &dev_attr_mode.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attributes };
static struct attribute *other_attributes[] = { &dev_attr_mode.attr, NULL };
static const struct attribute_group other_group = { .attrs = other_attributes };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int error;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	dev_set_drvdata(&pdev->dev, demo); // RACE!
	error = sysfs_create_group(&pdev->dev.kobj, &demo_group);
	if (error)
		return error;
	return sysfs_create_group(&pdev->dev.kobj, &other_group);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = dev_get_drvdata(&pdev->dev);

	sysfs_remove_group(&pdev->dev.kobj, &demo_group);
	if (demo->count)
		sysfs_remove_group(&pdev->dev.kobj, &other_group);
	demo->mode = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
