/* An input device ends while it is registered. */
// verdict: potential
#include <linux/module.h>
#include <linux/input.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
struct demo { int online; struct input_dev *input; };

static int demo_open(struct input_dev *dev)
{
	return dev->evbit[0]; // RACE!
}
static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->input = input_allocate_device(); // NORACE
	if (!demo->input) {
		kfree(demo);
		return -ENOMEM;
	}
	demo->input->open = demo_open; // NORACE
	if (input_register_device(demo->input)) { // NORACE
		input_free_device(demo->input); // NORACE
		kfree(demo); // NORACE
		return -EIO;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	input_free_device(demo->input); // RACE!
	kfree(demo); // NORACE
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
