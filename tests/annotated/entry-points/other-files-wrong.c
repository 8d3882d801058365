/* A function that is not static, and that no file here uses, is there for other files of the module: they may call all that
   is not static. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/platform_device.h>

static int level, mode;

int demo_set_level(int value);
int demo_set_mode(int value);

int demo_set_level(int value)
{
	level = value; // RACE!
	return demo_set_mode(0);
}

int demo_set_mode(int value)
{
	mode = value; // RACE!
	return 0;
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return level + mode; // RACE!
}
static DEVICE_ATTR_RO(level);

static int demo_probe(struct platform_device *pdev)
{
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
	.driver = { .name = "demo", .owner = THIS_MODULE },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
