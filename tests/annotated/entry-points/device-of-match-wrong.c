/* What a table of matches leads to is for no device of the driver's. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>
#include <linux/sysfs.h>

static struct device demo_own;
static struct work_struct demo_work;

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return dev->driver_data ? 1 : 0; // RACE!
}
static DEVICE_ATTR_RO(value);
static struct attribute *demo_attrs[] = { &dev_attr_value.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
struct chip { int id; const struct attribute_group *group; };
static const struct chip demo_chip = { .id = 1, .group = &demo_group };

static void demo_update(struct work_struct *work)
{
	demo_own.driver_data = &demo_own; // RACE!
}
static int demo_probe(struct platform_device *pdev)
{
	const struct chip *chip = of_device_get_match_data(&pdev->dev);

	schedule_work(&demo_work);
	return sysfs_create_group(&demo_own.kobj, chip->group);
}
static int demo_remove(struct platform_device *pdev)
{
	return 0;
}
static const struct of_device_id demo_ids[] = { { .compatible = "demo", .data = &demo_chip }, { } };
MODULE_DEVICE_TABLE(of, demo_ids);
static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo", .of_match_table = demo_ids },
};
static int __init demo_init(void)
{
	INIT_WORK(&demo_work, demo_update);
	device_register(&demo_own);
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
static void __exit demo_exit(void)
{
	platform_driver_unregister(&demo_driver);
	cancel_work_sync(&demo_work);
}
module_exit(demo_exit);
MODULE_LICENSE("GPL");
