/* remove gives the lock of its device up and takes it again. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>

static int demo_probe(struct platform_device *pdev)
{
	pdev->id = 1; // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	device_unlock(&pdev->dev);
	pdev->id = 0; // RACE!
	device_lock(&pdev->dev);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
