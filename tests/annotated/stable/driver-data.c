/* The object of a device, set in probe and used in attributes. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/device.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int level;
};

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE
	int level;

	mutex_lock(&demo->lock);
	level = demo->level; // NORACE
	mutex_unlock(&demo->lock);
	return level;
}

static ssize_t level_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	mutex_lock(&demo->lock);
	demo->level = count; // NORACE
	mutex_unlock(&demo->lock);
	return count;
}
static DEVICE_ATTR_RW(level);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	platform_set_drvdata(pdev, demo); // NORACE
	return device_create_file(&pdev->dev, &dev_attr_level);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_level);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
