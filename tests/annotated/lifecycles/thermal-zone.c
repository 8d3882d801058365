/* A thermal zone is not asked any more once it is unregistered, and ends then. */
#include "kernel-objects.h"

struct thermal_cooling_device;
struct thermal_zone_device_ops {
	int (*bind)(struct thermal_zone_device *zone, struct thermal_cooling_device *cdev);
	int (*get_temp)(struct thermal_zone_device *zone, int *temp);
	int (*set_trips)(struct thermal_zone_device *zone, int low, int high);
	int (*get_trip_temp)(struct thermal_zone_device *zone, int trip, int *temp);
	int (*get_crit_temp)(struct thermal_zone_device *zone, int *temp);
};
static int alarms, bound, asked;
struct demo { struct thermal_zone_device *zone; };

static int demo_bind(struct thermal_zone_device *zone, struct thermal_cooling_device *cdev) { return bound++; } // RACE!
static int demo_get_temp(struct thermal_zone_device *zone, int *temp)
{
	*temp = zone->id; // NORACE
	return 0;
}
static int demo_set_trips(struct thermal_zone_device *zone, int low, int high)
{
	return alarms++; // RACE: the zone's lock is another one for another zone
}
static int demo_get_trip_temp(struct thermal_zone_device *zone, int trip, int *temp)
{
	*temp = trip; // NORACE
	return asked++; // RACE!
}
static int demo_get_crit_temp(struct thermal_zone_device *zone, int *temp)
{
	*temp = zone->id; // NORACE
	return 0;
}
static struct thermal_zone_device_ops demo_ops = {
	.bind = demo_bind, .get_temp = demo_get_temp, .set_trips = demo_set_trips,
	.get_trip_temp = demo_get_trip_temp, .get_crit_temp = demo_get_crit_temp,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->zone = thermal_zone_device_register("demo", 1, 0, demo, &demo_ops, NULL, 0, 0); // NORACE
	if (IS_ERR(demo->zone)) {
		kfree(demo); // NORACE
		return -EIO;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
}
static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	thermal_zone_device_unregister(demo->zone); // NORACE
	kfree(demo); // NORACE
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
