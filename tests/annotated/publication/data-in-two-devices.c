/* The data are in a platform device and in an input device, but in no two of either: who removes one platform device frees nobody
   else's. */
// verdict: race-free
#include <linux/module.h>
#include <linux/input.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct input_dev *input;
};

static int demo_open(struct input_dev *input)
{
	return input->evbit[0] ? 0 : -EIO;
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
	if (input_register_device(demo->input)) {
		input_free_device(demo->input);
		kfree(demo);
		return -EIO;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev); // NORACE

	input_unregister_device(demo->input); // NORACE
	kfree(demo); // NORACE
	return 0;
}

static int demo_suspend(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	return demo->input ? 0 : -EIO; // NORACE
}

static const struct dev_pm_ops demo_pm = { .suspend = demo_suspend };

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
