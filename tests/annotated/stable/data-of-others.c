/* The data of the parent are a chip: no driver of this module keeps one, so the parent is another driver's device. */
// verdict: race-free
// assume: data-of-others
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
	struct chip *chip = dev_get_drvdata(pdev->dev.parent); // NORACE

	if (!demo)
		return -ENOMEM;
	demo->id = READ_ONCE(chip->id);
	pdev->dev.driver_data = demo; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
