/* The parent's data are what this driver keeps: it may be bound to the parent, too. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int id;
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	struct demo *chip = pdev->dev.parent->driver_data; // RACE!

	if (!demo)
		return -ENOMEM;
	demo->id = READ_ONCE(chip->id);
	pdev->dev.driver_data = demo; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
