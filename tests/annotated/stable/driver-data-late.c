/* The attribute is there before the object of the device is set. */
// verdict: potential
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
	struct demo *demo = dev_get_drvdata(dev); // RACE!

	return demo ? demo->level : 0;
}

static ssize_t level_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	return count;
}
static DEVICE_ATTR_RW(level);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err = device_create_file(&pdev->dev, &dev_attr_level);

	platform_set_drvdata(pdev, demo); // RACE!
	return err;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
