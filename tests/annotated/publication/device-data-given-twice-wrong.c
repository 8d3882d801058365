/* device_create gives one object to two devices; the platform device has one of its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int flags;
};

static struct class *demo_class;

static ssize_t flags_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo;

	device_lock(dev);
	demo = dev_get_drvdata(dev);
	demo->flags++; // RACE!
	device_unlock(dev);
	return 0;
}
static DEVICE_ATTR_RO(flags);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct demo *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct device *one, *other;

	if (!demo || !own)
		return -ENOMEM;
	platform_set_drvdata(pdev, own); // NORACE
	one = device_create(demo_class, NULL, 1, demo, "a");
	other = device_create(demo_class, NULL, 2, demo, "b");
	device_create_file(one, &dev_attr_flags);
	device_create_file(other, &dev_attr_flags);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };

static int __init demo_init(void)
{
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
