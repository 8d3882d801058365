/* probe and remove of one device run under its lock; of two devices they do not. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>

struct demo {
	int own;
};

static int devices;

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	pdev->id = 1; // NORACE
	devices++; // RACE!
	return demo ? 0 : -ENODEV;
}

static int demo_remove(struct platform_device *pdev)
{
	pdev->id = 0; // NORACE
	devices--; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
