// verdict: race-free
/* Of what the driver keeps it only uses the first member, and the chip is only kept: the variables and the member say what they are. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct chip {
	int id;
};
struct demo {
	struct chip *chip;
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->chip = pdev->dev.parent->driver_data; // NORACE
	pdev->dev.driver_data = demo; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
