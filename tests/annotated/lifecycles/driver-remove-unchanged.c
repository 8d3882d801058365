/* The remove of the driver, which nobody changes, ends the attribute. */
// verdict: race-free
#include <linux/device.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int mode;
};


static ssize_t mode_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);

	return demo->mode; // NORACE
}
static DEVICE_ATTR_RO(mode);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	demo->mode = 1; // NORACE
	return device_create_file(&pdev->dev, &dev_attr_mode);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_mode);
	return 0;
}


static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};

static int __init demo_init(void)
{
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
