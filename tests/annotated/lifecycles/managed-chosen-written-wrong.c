/* An attribute that is chosen by a number stays, and somebody puts one that uses the memory among them. */
// verdict: potential
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
	struct demo *demo = dev->driver_data; // RACE: nobody removes it, so that it may be there from an earlier time
	int value;

	spin_lock(&demo->lock); // RACE!
	value = demo->value; // RACE!
	spin_unlock(&demo->lock);
	return value;
}
static DEVICE_ATTR_RO(value);

static ssize_t low_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return 0;
}
static DEVICE_ATTR_RO(low);

static ssize_t high_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return 0;
}
static DEVICE_ATTR_RO(high);

static struct device_attribute *kinds[] = { &dev_attr_low, &dev_attr_high };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	pdev->dev.driver_data = demo; // RACE: see above
	if (pdev->id > 7)
		kinds[1] = &dev_attr_value; // RACE!
	if (device_create_file(&pdev->dev, kinds[pdev->id & 1])) // RACE!
		return -EBUSY;
	return device_create_file(&pdev->dev, &dev_attr_value);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_value);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
