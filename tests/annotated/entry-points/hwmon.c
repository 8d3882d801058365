/* hwmon calls without a lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/hwmon.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static long limit, low;

static int demo_read(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long *value)
{
	*value = low; // RACE!
	mutex_lock(&lock);
	*value += limit; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static int demo_write(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long value)
{
	low = value; // RACE!
	mutex_lock(&lock);
	limit = value; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static const struct hwmon_ops demo_ops = {
	.read = demo_read,
	.write = demo_write,
};

static const struct hwmon_chip_info demo_chip = {
	.ops = &demo_ops,
};

static int __init demo_init(void)
{
	limit = 1; // NORACE
	hwmon_device_register_with_info(NULL, "demo", NULL, &demo_chip, NULL);
	return 0;
}
module_init(demo_init);
