/* A copy of the driver is still registered when the driver is not any more. */
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
	return platform_driver_register(&first);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	platform_driver_unregister(&first);
	x = 2; // RACE!
	platform_driver_unregister(&second);
}
module_exit(demo_exit);
