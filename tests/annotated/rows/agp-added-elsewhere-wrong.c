/* Another module adds the bridge, when it likes and for several devices: nothing here says in which thread. */
// verdict: potential
#include <linux/module.h>
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

static void demo_cleanup(void)
{
	size = 0; // RACE!
}

static const struct agp_bridge_driver demo_driver = {
	.fetch_size = demo_fetch_size,
	.create_gatt_table = demo_create_gatt_table,
	.configure = demo_configure,
	.cleanup = demo_cleanup,
};

void demo_choose(struct agp_bridge_data *bridge)
{
	bridge->driver = &demo_driver; // RACE: who calls this with one bridge is not known
}
EXPORT_SYMBOL_GPL(demo_choose);

static int __init demo_init(void)
{
	return 0;
}

static void __exit demo_exit(void)
{
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
