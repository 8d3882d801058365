/* Attributes are made by a list that a group leads to, as many as the device has; the group ends them. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	int value;
};

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data;
	int value;

	spin_lock(&demo->lock); // NORACE
	value = demo->value; // NORACE
	spin_unlock(&demo->lock);
	return value;
}
static DEVICE_ATTR_RO(value);

static ssize_t other_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return value_show(dev, attr, buf);
}
static DEVICE_ATTR_RO(other);

static struct attribute *values[] = { &dev_attr_value.attr, &dev_attr_other.attr, NULL };
static const struct attribute_group values_group = { .attrs = values };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int i, err;

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	pdev->dev.driver_data = demo;
	for (i = 0; i < pdev->id; i++) {
		err = sysfs_create_file(&pdev->dev.kobj, values[i]);
		if (err)
			goto fail;
	}
	return 0;
fail:
	sysfs_remove_group(&pdev->dev.kobj, &values_group);
	return err;
}

static int demo_remove(struct platform_device *pdev)
{
	sysfs_remove_group(&pdev->dev.kobj, &values_group);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
