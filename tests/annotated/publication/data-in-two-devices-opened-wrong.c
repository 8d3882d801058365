/* The data are in two input devices, each of which has a mutex of its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/input.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct input_dev *input;
	int opened;
};

extern struct input_dev *demo_other;

static int demo_open(struct input_dev *input)
{
	struct demo *demo = input_get_drvdata(input); // RACE!

	demo->opened++; // RACE!
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->input = input_allocate_device();
	if (!demo->input) {
		kfree(demo);
		return -ENOMEM;
	}
	demo->input->open = demo_open;
	input_set_drvdata(demo->input, demo);
	input_set_drvdata(demo_other, demo); // RACE!
	if (input_register_device(demo->input)) {
		input_free_device(demo->input); // RACE!
		kfree(demo); // RACE!
		return -EIO;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
