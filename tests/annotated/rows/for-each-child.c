/* What is done for each child is done under the lock that is held around all. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int count;

static int demo_count(struct device *dev, void *data)
{
	count++; // NORACE
	return 0;
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	mutex_lock(&lock);
	device_for_each_child(dev, NULL, demo_count);
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
