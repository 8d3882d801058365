/* A copy of the driver is registered first, so devices are bound before the driver itself is registered. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>

static int x;

static int demo_probe(struct platform_device *pdev)
{
	WRITE_ONCE(x, 1); // RACE!
	return 0;
}
static struct platform_driver first = { .probe = demo_probe, .driver = { .name = "demo" } };
static struct platform_driver second;

static int __init demo_init(void)
{
	second = first;
	second.driver.name = "demo2";
	platform_driver_register(&second);
	x = 2; // RACE!
	return platform_driver_register(&first);
}
module_init(demo_init);
