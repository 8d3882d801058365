/* One function removes and shuts down: when the system goes down, the attribute is still there. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/pci.h>
#include <linux/sysfs.h>

struct demo { int limit; };
static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data;
	return demo->limit; // RACE!
}
static DEVICE_ATTR_RO(limit);
static struct attribute *demo_attrs[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };
int device_add_groups(struct device *dev, const struct attribute_group **groups);
int sysfs_create_groups(struct kobject *kobj, const struct attribute_group **groups);
int devm_device_add_groups(struct device *dev, const struct attribute_group **groups);

static int demo_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo;
	return 0;
}
static void demo_remove(struct pci_dev *pdev) { struct demo *d = pdev->dev.driver_data; d->limit = 0; } // RACE!
static struct pci_driver demo_driver = { .name = "x", .probe = demo_probe, .remove = demo_remove, .shutdown = demo_remove, .driver = { .name = "demo", .dev_groups = demo_groups } };
module_pci_driver(demo_driver);
