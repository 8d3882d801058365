/* Nobody ends the attributes when the driver is unbound. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int limit;
	int alarm;
};

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE!

	return demo->limit; // NORACE
}
static DEVICE_ATTR_RO(limit);

static ssize_t alarm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE!

	return demo->alarm; // NORACE
}
static DEVICE_ATTR_RO(alarm);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	demo->limit = 1; // NORACE
	demo->alarm = 1; // NORACE
	pdev->dev.driver_data = demo; // RACE!
	err = device_create_file(&pdev->dev, &dev_attr_limit);
	if (err)
		return err;
	err = device_create_file(&pdev->dev, &dev_attr_alarm);
	if (err)
		device_remove_file(&pdev->dev, &dev_attr_limit);
	return err;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
