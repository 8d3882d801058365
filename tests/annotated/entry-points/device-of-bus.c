/* Power management of a platform driver gets platform devices, never the driver's own one. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>

static struct device demo_own;
static struct work_struct demo_work;

static int demo_suspend(struct device *dev)
{
	return dev->driver_data ? 0 : -EBUSY; // NORACE
}

static void demo_update(struct work_struct *work)
{
	demo_own.driver_data = &demo_own; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	schedule_work(&demo_work);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	return 0;
}

static const struct dev_pm_ops demo_pm = { .runtime_suspend = demo_suspend };

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo", .pm = &demo_pm },
};

static int __init demo_init(void)
{
	INIT_WORK(&demo_work, demo_update);
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	platform_driver_unregister(&demo_driver);
	cancel_work_sync(&demo_work);
}
module_exit(demo_exit);
MODULE_LICENSE("GPL");
