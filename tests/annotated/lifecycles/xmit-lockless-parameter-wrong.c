/* What the driver can do comes as a parameter: it does without the lock of the queue. */
// verdict: potential
#define QUEUES 1
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/platform_device.h>

struct demo {
	unsigned int sent;
};

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->sent++; // RACE!
	dev_kfree_skb_any(skb); // NORACE
	return NETDEV_TX_OK;
}

static const struct net_device_ops demo_ops = {
	.ndo_start_xmit = demo_xmit,
};

static void demo_can(struct net_device *dev, netdev_features_t features)
{
	dev->features |= features;
}

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct demo), QUEUES, 1);

	if (!dev)
		return -ENOMEM;
	demo_can(dev, 1 << 12);
	dev->netdev_ops = &demo_ops;
	platform_set_drvdata(pdev, dev);
	return register_netdev(dev);
}

static int demo_remove(struct platform_device *pdev)
{
	struct net_device *dev = platform_get_drvdata(pdev);

	unregister_netdev(dev);
	free_netdev(dev); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
