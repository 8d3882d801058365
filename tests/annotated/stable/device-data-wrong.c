/* The data of a device is set anew by who uses it. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int level;
};

static void demo_raise(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!

	demo->level++; // RACE!
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!

	mutex_lock(&demo->lock);
	demo_raise(dev);
	mutex_unlock(&demo->lock);
	return 0;
}

static ssize_t level_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!
	struct demo *other = kzalloc(sizeof(*other), GFP_KERNEL);

	if (other) {
		mutex_init(&other->lock);
		dev_set_drvdata(dev, other); // RACE!
	}
	mutex_lock(&demo->lock);
	demo_raise(dev);
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
};
module_platform_driver(demo_driver);
