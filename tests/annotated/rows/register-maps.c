/* What a register is read into is its reader's; what the map gets is not. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct regmap;
struct regmap_bus;
struct regmap_config {
	const char *name;
	int reg_bits, val_bits;
	int (*reg_read)(void *context, unsigned int reg, unsigned int *val);
	int (*reg_write)(void *context, unsigned int reg, unsigned int val);
};
struct regmap *__devm_regmap_init(struct device *dev, const struct regmap_bus *bus, void *context,
				  const struct regmap_config *config, void *key, const char *name);

struct demo {
	unsigned int cached;
};

static int demo_reg_read(void *context, unsigned int reg, unsigned int *val)
{
	struct demo *demo = context;
	unsigned int cached = READ_ONCE(demo->cached); // RACE!

	*val = cached; // NORACE
	return 0;
}

static int demo_reg_write(void *context, unsigned int reg, unsigned int val)
{
	struct demo *demo = context;

	demo->cached = val; // RACE!
	return 0;
}

static const struct regmap_config demo_config = {
	.reg_bits = 8,
	.val_bits = 8,
	.reg_read = demo_reg_read,
	.reg_write = demo_reg_write,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	return IS_ERR(__devm_regmap_init(&pdev->dev, NULL, demo, &demo_config, NULL, "demo")); // RACE: the map ends, and of it nothing is declared
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
