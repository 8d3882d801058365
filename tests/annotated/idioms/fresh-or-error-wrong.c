/* As fresh-or-error.c, but the object is where others find it before it is complete. */
// verdict: potential
#include <linux/device.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	struct demo *self;
	int level;
	char *text;
};

static struct demo *demo_make(struct device *dev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return ERR_PTR(-ENOMEM);
	demo->text = kzalloc(16, GFP_KERNEL);
	if (!demo->text) {
		kfree(demo);
		return ERR_PTR(-ENOMEM);
	}
	return demo;
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);
	int level;

	mutex_lock(&demo->self->lock); // RACE!
	level = demo->level++ + demo->text[0]++; // RACE!
	mutex_unlock(&demo->self->lock); // RACE!
	return level;
}
static DEVICE_ATTR_RO(level);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = demo_make(&pdev->dev);

	if (IS_ERR(demo))
		return PTR_ERR(demo);
	mutex_init(&demo->lock);
	dev_set_drvdata(&pdev->dev, demo);
	if (device_create_file(&pdev->dev, &dev_attr_level))
		return -ENOMEM;
	demo->self = demo; // RACE!
	demo->level = 1; // RACE!
	demo->text[0] = 'a'; // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_level);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
