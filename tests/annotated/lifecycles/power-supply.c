/* A power supply is not asked any more once it is unregistered, and ends then. */
#include "kernel-objects.h"
enum power_supply_property { POWER_SUPPLY_PROP_ONLINE };
union power_supply_propval { int intval; const char *strval; };
struct power_supply_desc {
	const char *name;
	int (*get_property)(struct power_supply *psy, enum power_supply_property psp, union power_supply_propval *val);
	void (*external_power_changed)(struct power_supply *psy);
};
void *power_supply_get_drvdata(struct power_supply *psy);
struct demo { int online; struct power_supply *supply; };

static int demo_get(struct power_supply *psy, enum power_supply_property psp, union power_supply_propval *val)
{
	struct demo *demo = power_supply_get_drvdata(psy); // NORACE

	val->intval = READ_ONCE(demo->online); // RACE: that a supply has the data which are freed with it is not seen
	return 0;
}
static int changes;
static void demo_changed(struct power_supply *psy)
{
	changes++; // RACE!
}
static const struct power_supply_desc demo_desc = { .name = "demo", .get_property = demo_get, .external_power_changed = demo_changed };

static int demo_probe(struct platform_device *pdev)
{
	struct power_supply_config config = {};
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	config.drv_data = demo;
	demo->supply = power_supply_register(&pdev->dev, &demo_desc, &config); // NORACE
	if (IS_ERR(demo->supply)) {
		kfree(demo); // RACE: the same
		return -EIO;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	power_supply_unregister(demo->supply); // NORACE
	kfree(demo); // RACE: the same
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
