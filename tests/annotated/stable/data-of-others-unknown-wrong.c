/* A function that others call keeps there what they say: that may be a chip. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct chip {
	int id;
};
struct demo {
	int id;
};

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

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};

void demo_keep(struct device *dev, void *data)
{
	dev->driver_data = data; // RACE!
}
EXPORT_SYMBOL(demo_keep);
module_platform_driver(demo_driver);
