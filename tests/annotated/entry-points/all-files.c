/* Where each function that is not static is used, the files are taken to be all of the module (assumption): what is not
   static, and exported to nobody, only they use. */
// verdict: race-free
// assume: whole-module
#include <linux/module.h>
#include <linux/device.h>
#include <linux/platform_device.h>
#include "all-files.h"

static int level;

int demo_level(void);
int demo_level(void)
{
	return level++; // NORACE
}

const struct demo_ops demo_kinds[2] = { { .level = demo_level } };

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return READ_ONCE(*buf);
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

static int __init demo_init(void)
{
	demo_kinds[0].level();
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	platform_driver_unregister(&demo_driver);
}
module_exit(demo_exit);
MODULE_LICENSE("GPL");
