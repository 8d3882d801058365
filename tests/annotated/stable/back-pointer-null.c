/* The same as back-pointer-not-null, but a device that was suspended is forgotten, and never unregistered. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/platform_device.h>

struct demo {
	struct net_device *dev;
	int users;
};

static int demo_open(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->users++; // RACE!
	return 0;
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_open = demo_open,
};

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	struct demo *demo;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
	demo->dev = dev;
	dev->netdev_ops = &demo_netdev_ops;
	platform_set_drvdata(pdev, demo);
	return register_netdev(dev);
}

static int demo_suspend(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);

	demo->dev = NULL; // NORACE
	return 0;
}

static const struct dev_pm_ops demo_pm = {
	.suspend = demo_suspend,
};

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	if (demo->dev)
		unregister_netdev(demo->dev);
	demo->users = 0; // RACE!
	return 0;
}

static void demo_shutdown(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	unregister_netdev(demo->dev);
	demo->users = 2; // RACE: unregistering null does not return
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.shutdown = demo_shutdown,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
