/* Sometimes the chip is taken for a demo before it is kept: it is a chip all the same. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/device.h>
struct chip { int id; };
struct demo { int id; };

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

static noinline int check(struct demo *d) { return READ_ONCE(d->id); }
static int chip_probe(struct platform_device *pdev)
{
	void *p;
	struct chip *chip = devm_kzalloc(&pdev->dev, sizeof(*chip), GFP_KERNEL);
	if (!chip)
		return -ENOMEM;
	p = chip;
	if (pdev->id == 77)
		check(p);
	pdev->dev.driver_data = p; // RACE!
	return 0;
}

static struct platform_driver chip_driver = { .probe = chip_probe };
static int __init demo_init(void)
{
	int error = platform_driver_register(&chip_driver);
	return error ? error : platform_driver_register(&demo_driver);
}
module_init(demo_init);
