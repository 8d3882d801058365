/* A lock that is taken for each child is not taken where there is none. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int count;

static int demo_take(struct device *dev, void *data)
{
	mutex_lock(&lock);
	return 1;
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	device_for_each_child(dev, NULL, demo_take);
	count++; // RACE!
	mutex_unlock(&lock);
	return 0;
}
static DEVICE_ATTR_RO(level);

static int demo_probe(struct platform_device *pdev)
{
	return device_create_file(&pdev->dev, &dev_attr_level);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
