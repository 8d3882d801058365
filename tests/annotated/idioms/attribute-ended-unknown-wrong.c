/* A second attribute with the same function is made known by a function without a row, so it is not known to be removed. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int level;
};

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: nobody knows when the other attribute is made known
	int level;

	mutex_lock(&demo->lock); // RACE!
	level = demo->level++; // RACE!
	mutex_unlock(&demo->lock);
	return level;
}
static DEVICE_ATTR_RO(level);
static struct device_attribute demo_other = { .attr = { .name = "other", .mode = 0444 }, .show = level_show };

int board_create_file(struct device *dev, const struct device_attribute *attribute);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	dev_set_drvdata(&pdev->dev, demo); // RACE: as above
	board_create_file(&pdev->dev, &demo_other); // RACE: as above
	return device_create_file(&pdev->dev, &dev_attr_level);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = dev_get_drvdata(&pdev->dev);

	device_remove_file(&pdev->dev, &dev_attr_level);
	demo->level = 0; // RACE!
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
