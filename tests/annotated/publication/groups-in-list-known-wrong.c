/* The group is made known otherwise, too, before the list is registered. */
// verdict: potential
#include <linux/module.h>
#include <linux/hwmon.h>
#include <linux/i2c.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int level;
	const struct attribute_group *groups[3];
};

static const struct attribute_group demo_group;
void board_group(const struct attribute_group *group);

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!
	int level;

	mutex_lock(&demo->lock); // RACE!
	level = demo->level; // RACE!
	mutex_unlock(&demo->lock);
	return level;
}
static DEVICE_ATTR_RO(level);

static struct attribute *demo_attrs[] = { &dev_attr_level.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };

static int demo_probe(struct i2c_client *client)
{
	struct demo *demo = devm_kzalloc(&client->dev, sizeof(*demo), GFP_KERNEL);
	struct device *hwmon;

	if (!demo)
		return -ENOMEM;
	dev_set_drvdata(&client->dev, demo); // RACE!
	board_group(&demo_group); // RACE: unknown code may write where a constant leads to
	mutex_init(&demo->lock); // RACE!
	demo->level = 1; // RACE!
	demo->groups[0] = &demo_group;
	hwmon = devm_hwmon_device_register_with_groups(&client->dev, "demo", demo, demo->groups);
	return IS_ERR(hwmon) ? -EIO : 0;
}

static struct i2c_driver demo_driver = {
	.driver = { .name = "demo" },
	.probe_new = demo_probe,
};
module_i2c_driver(demo_driver);
