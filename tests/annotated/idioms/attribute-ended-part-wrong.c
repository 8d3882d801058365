/* Of two ways to the attributes, one is left when the data are freed. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int level, mode;
};

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);
	int level;

	mutex_lock(&demo->lock);
	level = demo->level++; // NORACE
	mutex_unlock(&demo->lock);
	return level;
}
static DEVICE_ATTR_RO(level);

static ssize_t mode_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!
	int mode;

	mutex_lock(&demo->lock); // RACE!
	mode = demo->mode++; // RACE!
	mutex_unlock(&demo->lock);
	return mode;
}
static DEVICE_ATTR_RO(mode);

static struct attribute *demo_attributes[] = { &dev_attr_mode.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attributes };

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
		goto free;
	error = device_create_file(&pdev->dev, &dev_attr_level);
	if (error)
		goto remove;
	return 0;
remove:
	sysfs_remove_group(&pdev->dev.kobj, &demo_group);
	demo->mode = 0; // RACE!
free:
	kfree(demo); // RACE!
	return error;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = dev_get_drvdata(&pdev->dev);

	device_remove_file(&pdev->dev, &dev_attr_level);
	demo->level = 0; // NORACE
	demo->mode = 0; // RACE!
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
