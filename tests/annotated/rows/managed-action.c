/* An action of a device uses memory that was asked for before it was added. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/printk.h>
#include <linux/slab.h>

struct demo {
	int *cache;
};

static void demo_close(void *data)
{
	struct demo *demo = data;

	if (demo->cache) // NORACE
		pr_info("%d\n", demo->cache[0]); // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->cache = devm_kzalloc(&pdev->dev, 64, GFP_KERNEL);
	if (devm_add_action(&pdev->dev, demo_close, demo))
		return -ENOMEM;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
