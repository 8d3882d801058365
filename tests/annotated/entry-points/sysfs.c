/* Attributes of a device: show against store. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/device.h>
#include <linux/platform_device.h>

static int level;

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sprintf(buf, "%d", level); // RACE!
}

static ssize_t level_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	level = count; // RACE!
	return count;
}
static DEVICE_ATTR_RW(level);

static int demo_probe(struct platform_device *pdev)
{
	return device_create_file(&pdev->dev, &dev_attr_level);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
