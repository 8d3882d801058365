/* Tables that a variable of the module leads to, which is neither constant nor static. With all files of the module at hand nobody
   else calls what stands there, and who does has taken the lock. Without them, a missing file may. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include "parts.h"

static DEFINE_MUTEX(lock);
static struct part part;

static void fast_up(struct part *part)
{
	part->level += 2; // RACE: a file that is missing may have the table
}

static void fast_bare(struct part *part)
{
	part->bare += 2; // RACE!
}

static const struct part_ops fast = { .up = fast_up, .bare = fast_bare };

const struct part_ops *kinds[] = { &fast, NULL };

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	mutex_lock(&lock);
	kinds[0]->up(&part);
	mutex_unlock(&lock);
	return 0;
}
static DEVICE_ATTR_RO(level);

static ssize_t bare_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	kinds[0]->bare(&part);
	return 0;
}
static DEVICE_ATTR_RO(bare);

static int demo_probe(struct platform_device *pdev)
{
	int error = device_create_file(&pdev->dev, &dev_attr_level);

	return error ? error : device_create_file(&pdev->dev, &dev_attr_bare);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_bare);
	device_remove_file(&pdev->dev, &dev_attr_level);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo", .owner = THIS_MODULE },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
