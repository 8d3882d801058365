/* As device-data, but the data are found and freed from a reference count in them: that ends no device. */
// verdict: race-free
// assume: bound-before
#include <linux/module.h>
#include <linux/kref.h>
#include <linux/platform_device.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int level;
	struct kref ref;
};

static void demo_release(struct kref *ref)
{
	struct demo *demo = container_of(ref, struct demo, ref);

	kfree(demo); // NORACE
}

static void demo_raise(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	demo->level++; // NORACE
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	mutex_lock(&demo->lock);
	demo_raise(dev);
	mutex_unlock(&demo->lock);
	return 0;
}

static DEVICE_ATTR_RO(level);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	kref_init(&demo->ref);
	platform_set_drvdata(pdev, demo); // NORACE
	return device_create_file(&pdev->dev, &dev_attr_level);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev); // NORACE

	device_remove_file(&pdev->dev, &dev_attr_level);
	kref_put(&demo->ref, demo_release); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
};
module_platform_driver(demo_driver);
