/* What the parent's data are is not said here. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int id;
};
int demo_id(void *chip);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	void *chip = pdev->dev.parent->driver_data; // RACE!

	if (!demo)
		return -ENOMEM;
	demo->id = demo_id(chip); // RACE!
	pdev->dev.driver_data = demo; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
