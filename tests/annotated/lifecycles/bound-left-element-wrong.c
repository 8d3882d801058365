/* Another element of an array of attributes is ended than was made known. */
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
static struct device_attribute attributes[] = {
	__ATTR(limit, 0444, limit_show, NULL),
	__ATTR(other, 0444, limit_show, NULL),
};

static ssize_t alarm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // NORACE

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
	err = device_create_file(&pdev->dev, &attributes[pdev->id & 1]);
	if (err)
		return err;
	err = device_create_file(&pdev->dev, &dev_attr_alarm);
	if (err)
		device_remove_file(&pdev->dev, &attributes[pdev->id & 1]);
	return err;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = pdev->dev.driver_data;

	device_remove_file(&pdev->dev, &attributes[demo->alarm & 1]);
	if (demo->limit)
		device_remove_file(&pdev->dev, &dev_attr_alarm);
	else
		device_remove_file(&pdev->dev, &dev_attr_alarm);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
};
module_platform_driver(demo_driver);
