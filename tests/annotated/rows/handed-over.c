/* What registers keeps a pointer: what is written before is seen, what is written after may be read meanwhile. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include <linux/regmap.h>
#include <linux/platform_device.h>

struct mii_bus { int (*read)(struct mii_bus *bus, int address, int reg); struct mutex mdio_lock; int early, late; };
struct item { int early, late; };

void *__devm_regmap_init(struct device *dev, void *bus, void *context, const void *config, void *key, const char *name);
void *__devm_regmap_init_i2c(void *client, const void *config, void *key, const char *name);
void *__devm_regmap_init_spi(void *spi, const void *config, void *key, const char *name);
void *__devm_regmap_init_mmio_clk(struct device *dev, const char *clk, void *regs, const void *config, void *key,
				  const char *name);
int devm_gpiochip_add_data_with_key(struct device *dev, void *chip, void *data, void *lock, void *request);
void *devm_nvmem_register(struct device *dev, const void *config);
int devm_rtc_nvmem_register(void *rtc, void *config);
int devm_i2c_add_adapter(struct device *dev, void *adapter);
int __devm_mdiobus_register(struct device *dev, struct mii_bus *bus, struct module *owner);
int __xa_alloc_cyclic(struct xarray *xa, u32 *id, void *entry, u64 limit, u32 *next, gfp_t flags);

static struct xarray array;
static u32 id, next;

static struct item *make(void)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (item)
		item->early = 1; // NORACE
	return item;
}

static int demo_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct item *item = make(), *second = make(), *third = make();

	if (!item || !second || !third)
		return -ENOMEM;
	switch (pdev->id) { // RACE: a map ends, of which nothing is declared
	case 0:
		__devm_regmap_init(dev, item, second, third, NULL, NULL); // RACE: a map ends, of which nothing is declared
		item->late = 1; // RACE!
		second->late = 1; // RACE!
		third->late = 1; // RACE!
		break;
	case 1:
		__devm_regmap_init_i2c(NULL, item, NULL, NULL); // RACE: a map ends, of which nothing is declared
		item->late = 1; // RACE!
		break;
	case 2:
		__devm_regmap_init_spi(NULL, item, NULL, NULL); // RACE: a map ends, of which nothing is declared
		item->late = 1; // RACE!
		break;
	case 3:
		__devm_regmap_init_mmio_clk(dev, NULL, second, item, NULL, NULL); // RACE: a map ends, of which nothing is declared
		item->late = 1; // RACE!
		second->late = 1; // NORACE
		break;
	case 4:
		devm_gpiochip_add_data_with_key(dev, item, second, NULL, NULL);
		item->late = 1; // RACE!
		second->late = 1; // RACE!
		break;
	case 5:
		devm_nvmem_register(dev, item);
		item->late = 1; // RACE!
		break;
	case 6:
		devm_rtc_nvmem_register(NULL, item);
		item->late = 1; // RACE!
		break;
	case 7:
		devm_i2c_add_adapter(dev, item); // RACE: the row names members of an adapter, which this is not declared to be
		item->late = 1; // RACE!
		break;
	case 8:
		__xa_alloc_cyclic(&array, &id, item, 9, NULL, GFP_KERNEL); // RACE!
		item->late = 1; // RACE!
		__xa_alloc_cyclic(&array, NULL, item, 9, &next, GFP_KERNEL); // RACE!
		break;
	}
	return 0;
}

/* Accessors are called under the bus's mutex. */
static int demo_mdio_read(struct mii_bus *bus, int address, int reg)
{
	bus->early++; // RACE: a map ends, of which nothing is declared
	return bus->late++; // RACE!
}

static int demo_attach(struct platform_device *pdev, int state)
{
	struct mii_bus *bus = kzalloc(sizeof(*bus), GFP_KERNEL);

	if (!bus)
		return -ENOMEM;
	mutex_init(&bus->mdio_lock);
	bus->read = demo_mdio_read;
	bus->early = 1; // NORACE
	__devm_mdiobus_register(&pdev->dev, bus, THIS_MODULE);
	bus->late = 1; // RACE!
	return 0;
}

/* Any of them. */
static int demo_remove(struct platform_device *pdev)
{
	struct item *item = platform_get_drvdata(pdev); // RACE: a map ends, of which nothing is declared

	return item->late; // RACE!
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.suspend = demo_attach,
};
module_platform_driver(demo_driver);
