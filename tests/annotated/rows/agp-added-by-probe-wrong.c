/* Each device adds a bridge, in a thread of its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <lockpair/chips.h>

static int size, entries;

static int demo_fetch_size(void)
{
	size = 64; // RACE!
	return size; // RACE!
}

static int demo_create_gatt_table(struct agp_bridge_data *bridge)
{
	entries = size / 4; // RACE!
	bridge->mode = entries; // RACE!
	return 0;
}

static int demo_configure(void)
{
	return size ? 0 : -ENODEV; // RACE!
}

static const struct agp_bridge_driver demo_driver = {
	.fetch_size = demo_fetch_size,
	.create_gatt_table = demo_create_gatt_table,
	.configure = demo_configure,
};

static int demo_probe(struct platform_device *pdev)
{
	struct agp_bridge_data *bridge = kzalloc(sizeof(*bridge), GFP_KERNEL);

	if (!bridge)
		return -ENOMEM;
	bridge->driver = &demo_driver;
	platform_set_drvdata(pdev, bridge);
	return agp_add_bridge(bridge);
}

static struct platform_driver demo_platform = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_platform);
MODULE_LICENSE("GPL");
