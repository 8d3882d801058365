/* The lock in a struct that is only declared is that of another object. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct mc13xxx;
void mc13xxx_lock(struct mc13xxx *chip);
void mc13xxx_unlock(struct mc13xxx *chip);

struct demo {
	struct mc13xxx *chip, *other;
	int level;
};

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);
	int level;

	mc13xxx_lock(demo->chip);
	level = demo->level; // RACE!
	mc13xxx_unlock(demo->chip);
	return level;
}

static ssize_t level_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct demo *demo = dev_get_drvdata(dev);

	mc13xxx_lock(demo->other);
	demo->level = count; // RACE!
	mc13xxx_unlock(demo->other);
	return count;
}
static DEVICE_ATTR_RW(level);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->chip = pdev->dev.platform_data;
	demo->other = (void *)pdev->name;
	platform_set_drvdata(pdev, demo);
	return device_create_file(&pdev->dev, &dev_attr_level);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_level);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
