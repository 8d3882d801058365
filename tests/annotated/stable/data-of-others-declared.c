// verdict: race-free
/* Only the declaration of its variable says what the driver keeps: it may return before it has used a member. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct chip {
	int on;
	int id;
};
struct demo {
	int id;
};

static int demo_probe(struct platform_device *pdev)
{
	struct chip *chip = pdev->dev.parent->driver_data; // NORACE
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	pdev->dev.driver_data = demo; // NORACE
	if (!READ_ONCE(chip->on))
		return -ENODEV;
	demo->id = READ_ONCE(chip->id);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
