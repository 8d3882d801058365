/* The device is unregistered through a pointer back to it, to which null is never stored: nobody opens it
 * after that. */
// verdict: race-free
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

	demo->users++; // NORACE
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

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	unregister_netdev(demo->dev);
	demo->users = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
