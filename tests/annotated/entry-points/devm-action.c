/* An action runs with the data that it was added with, and not before. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/platform_device.h>

struct demo {
	int before, after;
};

static void demo_action(void *data)
{
	struct demo *demo = data;

	if (demo->before) // NORACE
		demo->after = 0; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	demo->before = 1; // NORACE
	err = devm_add_action(&pdev->dev, demo_action, demo);
	demo->after = 1; // RACE!
	return err;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
