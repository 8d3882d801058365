/* The limit of a device that has sensors already. */
// verdict: potential
#include <linux/module.h>
#include <linux/hwmon.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int limit;
};

static int demo_read(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long *val)
{
	struct demo *demo = dev->driver_data; // NORACE

	*val = demo->limit; // RACE!
	return 0;
}

static const struct hwmon_ops demo_ops = {
	.read = demo_read,
};
static const struct hwmon_chip_info demo_chip = { .ops = &demo_ops };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	struct device *hwmon;

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // NORACE
	hwmon = devm_hwmon_device_register_with_info(&pdev->dev, "demo", demo, &demo_chip, NULL);
	if (IS_ERR(hwmon))
		return PTR_ERR(hwmon);
	demo->limit = 1; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
