/* An attribute makes another one known, which nobody removes. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	int value;
};

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE: another attribute registers it, so that it may be there while the driver is bound
	int value;

	spin_lock(&demo->lock); // RACE!
	value = demo->value; // RACE!
	spin_unlock(&demo->lock);
	return value;
}
static DEVICE_ATTR_RO(value);

static ssize_t enable_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	return device_create_file(dev, &dev_attr_value) ? -EBUSY : n;
}
static DEVICE_ATTR(enable, 0200, NULL, enable_store);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	pdev->dev.driver_data = demo; // RACE: see above
	return device_create_file(&pdev->dev, &dev_attr_enable);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_enable);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
