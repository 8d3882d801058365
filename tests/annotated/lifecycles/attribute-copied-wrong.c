/* A copy of the attribute is made first, with the same function. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

struct demo { int x; };

static ssize_t foo_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: what finds a function otherwise may be there before the data are set

	WRITE_ONCE(demo->x, 2); // RACE!
	return 0;
}
static DEVICE_ATTR(foo, 0444, foo_show, NULL);
static struct device_attribute bar;

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo); // RACE: what finds a function otherwise may be there before the data are set
	err = device_create_file(&pdev->dev, &bar);
	if (err)
		return err;
	demo->x = 1; // RACE!
	err = device_create_file(&pdev->dev, &dev_attr_foo);
	if (err)
		device_remove_file(&pdev->dev, &bar);
	return err;
}
static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &bar);
	device_remove_file(&pdev->dev, &dev_attr_foo);
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };

static int __init demo_init(void)
{
	bar = dev_attr_foo;
	bar.attr.name = "bar";
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
static void __exit demo_exit(void) { platform_driver_unregister(&demo_driver); }
module_exit(demo_exit);
