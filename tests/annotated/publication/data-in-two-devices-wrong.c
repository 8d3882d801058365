/* The data are in two platform devices: both of them free what they share. */
// verdict: potential
#include <linux/module.h>
#include <linux/input.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct input_dev *input;
};

extern struct platform_device *demo_next;

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
	input_set_drvdata(demo->input, demo);
	platform_set_drvdata(pdev, demo); // RACE!
	platform_set_drvdata(demo_next, demo); // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev); // RACE!

	input_free_device(demo->input); // RACE!
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
