/* Where a loop is left for good, its index is that of any round. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int levels[4];
};

void panic(const char *fmt, ...) __attribute__((noreturn));
static int shared[4];

struct demo_attribute {
	struct device_attribute attr;
	int index;
};

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE
	int index = container_of(attr, struct demo_attribute, attr)->index & 3;
	int level;

	mutex_lock(&demo->lock); // NORACE
	level = demo->levels[index] + shared[index]; // RACE!
	mutex_unlock(&demo->lock);
	return level;
}

#define LEVEL(n) { { { "level" #n, 0444 }, level_show }, n }
static struct demo_attribute levels[] = { LEVEL(0), LEVEL(1), LEVEL(2), LEVEL(3) };

static void demo_remove_files(struct device *dev)
{
	int i;

	for (i = 0; i < 4; i++)
		device_remove_file(dev, &levels[i].attr);
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int i;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	dev_set_drvdata(&pdev->dev, demo); // NORACE
	for (i = 0; i < 4; i++)
		if (device_create_file(&pdev->dev, &levels[i].attr)) {
			shared[i] = 1; // RACE!
			panic("no attribute");
		}
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = dev_get_drvdata(&pdev->dev);

	demo_remove_files(&pdev->dev);
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
