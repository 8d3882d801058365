/* The data of a hwmon device. */
// verdict: potential
#include <linux/module.h>
#include <linux/hwmon.h>
#include <linux/slab.h>

struct demo {
	int early, late;
};

static int demo_read(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long *value)
{
	struct demo *demo = dev_get_drvdata(dev);

	*value = demo->early + demo->late; // RACE!
	return 0;
}

static const struct hwmon_ops demo_ops = {
	.read = demo_read,
};

static const struct hwmon_chip_info demo_chip = {
	.ops = &demo_ops,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->early = 1; // NORACE
	hwmon_device_register_with_info(NULL, "demo", demo, &demo_chip, NULL);
	demo->late = 1; // RACE!
	return 0;
}
module_init(demo_init);
