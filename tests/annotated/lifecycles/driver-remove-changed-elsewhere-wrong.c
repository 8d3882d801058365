/* The driver's remove is changed through a variable that leads to the driver, so the attribute may stay behind. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int mode;
};

int demo_is_old(void);

static ssize_t mode_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!

	return demo->mode; // RACE!
}
static DEVICE_ATTR_RO(mode);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo); // RACE!
	demo->mode = 1; // RACE!
	return device_create_file(&pdev->dev, &dev_attr_mode);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_mode);
	return 0;
}

static int demo_keep(struct platform_device *pdev)
{
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
static struct platform_driver *known = &demo_driver;

static int __init demo_init(void)
{
	if (demo_is_old())
		known->remove = demo_keep;
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
