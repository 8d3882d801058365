/* Of two attributes in an array, one is removed again: the other may still be read. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int level, count;
};

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!
	int level;

	mutex_lock(&demo->lock); // RACE!
	level = demo->level++; // RACE!
	mutex_unlock(&demo->lock);
	return level;
}

static struct device_attribute demo_attributes[] = {
	{ .attr = { .name = "one", .mode = 0444 }, .show = level_show },
	{ .attr = { .name = "two", .mode = 0444 }, .show = level_show },
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	dev_set_drvdata(&pdev->dev, demo); // RACE!
	if (device_create_file(&pdev->dev, &demo_attributes[0]))
		return -ENOMEM;
	if (device_create_file(&pdev->dev, &demo_attributes[1]))
		return -ENOMEM;
	device_remove_file(&pdev->dev, &demo_attributes[1]);
	demo->level = 0; // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = dev_get_drvdata(&pdev->dev);

	device_remove_file(&pdev->dev, &demo_attributes[1]);
	demo->level = 0; // RACE!
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
