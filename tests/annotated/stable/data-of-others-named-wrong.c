/* A helper knows nothing but the name of what it keeps. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/device.h>
struct chip { int id; };
struct demo { int id; };

struct handle;
static noinline void put(struct device *dev, struct handle *p) { dev->driver_data = p; } // RACE!

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	struct chip *chip = pdev->dev.parent->driver_data; // RACE!
	if (!demo)
		return -ENOMEM;
	demo->id = READ_ONCE(chip->id);
	pdev->dev.driver_data = demo; // RACE!
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe };

static int chip_probe(struct platform_device *pdev)
{
	struct chip *chip = devm_kzalloc(&pdev->dev, sizeof(*chip), GFP_KERNEL);
	if (!chip)
		return -ENOMEM;
	WRITE_ONCE(chip->id, 1);
	put(&pdev->dev, (struct handle *)chip);
	return 0;
}

static struct platform_driver chip_driver = { .probe = chip_probe };
static int __init demo_init(void)
{
	int error = platform_driver_register(&chip_driver);
	return error ? error : platform_driver_register(&demo_driver);
}
module_init(demo_init);
