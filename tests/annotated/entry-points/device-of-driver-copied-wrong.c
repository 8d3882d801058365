/* A driver of another bus is a copy of the first. */
// verdict: potential
#include <linux/module.h>
#include <linux/i2c.h>
#include <linux/platform_device.h>

static int demo_suspend(struct device *dev)
{
	return dev->driver_data ? 0 : -EBUSY; // RACE!
}
static const struct dev_pm_ops demo_pm = { .runtime_suspend = demo_suspend };
static int demo_probe(struct platform_device *pdev)
{
	return 0;
}
static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm },
};
static void demo_client_alert(struct i2c_client *client, int protocol, unsigned int data)
{
	client->dev.driver_data = client; // RACE!
}
static struct i2c_driver demo_client_driver = {
	.alert = demo_client_alert,
	.driver = { .name = "demo" },
};
static int __init demo_init(void)
{
	demo_client_driver.driver = demo_driver.driver;
	i2c_add_driver(&demo_client_driver);
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
static void __exit demo_exit(void)
{
	platform_driver_unregister(&demo_driver);
	i2c_del_driver(&demo_client_driver);
}
module_exit(demo_exit);
MODULE_LICENSE("GPL");
