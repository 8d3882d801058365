/* Operations of a sensor: no lock; the value belongs to the call. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/hwmon.h>

static long cached;

static umode_t demo_is_visible(const void *data, enum hwmon_sensor_types type, u32 attr, int channel)
{
	return 0644;
}

static int demo_read(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long *val)
{
	*val = 0; // NORACE
	*val += cached; // RACE!
	return 0;
}

static int demo_write(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long val)
{
	cached = val; // RACE!
	return 0;
}

static const struct hwmon_ops demo_ops = {
	.is_visible = demo_is_visible,
	.read = demo_read,
	.write = demo_write,
};

static const struct hwmon_chip_info demo_info = { .ops = &demo_ops };

static int demo_probe(struct platform_device *pdev)
{
	return devm_hwmon_device_register_with_info(&pdev->dev, "demo", NULL, &demo_info, NULL) ? 0 : -ENOMEM;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
