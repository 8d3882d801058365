/* An attribute is taken out of the list, which the group leads to. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int levels[4];
};

struct demo_attribute {
	struct device_attribute attr;
	int index;
};

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!
	int index = container_of(attr, struct demo_attribute, attr)->index & 3;
	int level;

	mutex_lock(&demo->lock); // RACE!
	level = demo->levels[index]; // RACE!
	mutex_unlock(&demo->lock);
	return level;
}

#define LEVEL(n) { { { "level" #n, 0444 }, level_show }, n }
static struct demo_attribute levels[] = { LEVEL(0), LEVEL(1), LEVEL(2), LEVEL(3) };

static struct attribute *level_attributes[] = {
	&levels[0].attr.attr,
	&levels[1].attr.attr,
	&levels[2].attr.attr,
	&levels[3].attr.attr,
	NULL
};
static const struct attribute_group level_group = { .attrs = level_attributes };

static void demo_remove_files(struct device *dev)
{
	if (!levels[2].index)
		level_group.attrs[2] = NULL; // RACE!
	sysfs_remove_group(&dev->kobj, &level_group);
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int i;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	dev_set_drvdata(&pdev->dev, demo); // RACE!
	for (i = 0; i < 4; i++)
		if (device_create_file(&pdev->dev, &levels[i].attr))
			goto remove;
	return 0;
remove:
	demo_remove_files(&pdev->dev);
	kfree(demo); // RACE!
	return -EIO;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = dev_get_drvdata(&pdev->dev);

	demo_remove_files(&pdev->dev);
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
