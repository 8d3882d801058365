/* A number of the kernel that the module only reads is no part of a device. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>

static unsigned long started;

static int demo_probe(struct platform_device *pdev)
{
	WRITE_ONCE(started, jiffies); // NORACE
	platform_set_drvdata(pdev, NULL); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
