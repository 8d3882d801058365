/* Functions that the core calls only while a bridge is added or removed run in the thread that does so. */
#include <linux/module.h>
#include <lockpair/chips.h>

static int size, entries;

static int demo_fetch_size(void)
{
	size = 64; // NORACE
	return size;
}

static int demo_create_gatt_table(struct agp_bridge_data *bridge)
{
	entries = size / 4; // NORACE
	bridge->mode = entries;
	return 0;
}

static int demo_configure(void)
{
	return size ? 0 : -ENODEV; // NORACE
}

static void demo_cleanup(void)
{
	size = 0; // NORACE
}

static const struct agp_bridge_driver demo_driver = {
	.fetch_size = demo_fetch_size,
	.create_gatt_table = demo_create_gatt_table,
	.configure = demo_configure,
	.cleanup = demo_cleanup,
};

static struct agp_bridge_data demo_bridge;

static int __init demo_init(void)
{
	demo_bridge.driver = &demo_driver;
	return agp_add_bridge(&demo_bridge);
}

static void __exit demo_exit(void)
{
	agp_remove_bridge(&demo_bridge);
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
