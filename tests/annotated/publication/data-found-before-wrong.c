/* Two devices may come with one struct of platform data; only one that comes without gets one of its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo_data {
	int calls;
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo_data *data = pdev->dev.platform_data;

	if (data) {
		data->calls++; // RACE!
		return 0;
	}
	data = kzalloc(sizeof(*data), GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	pdev->dev.platform_data = data;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };

static int __init demo_init(void)
{
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
