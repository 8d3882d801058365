/* The queues of another device are stopped. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/platform_device.h>

struct demo {
	unsigned int head;
};

void netif_tx_disable(struct net_device *dev);

static struct net_device *other;

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->head++; // RACE!
	dev_kfree_skb_any(skb); // NORACE
	return NETDEV_TX_OK;
}

static int demo_change_mtu(struct net_device *dev, int mtu)
{
	struct demo *demo = netdev_priv(dev);

	netif_tx_disable(other);
	demo->head = 0; // RACE!
	netif_wake_queue(dev);
	return 0;
}

static const struct net_device_ops demo_ops = {
	.ndo_start_xmit = demo_xmit,
	.ndo_change_mtu = demo_change_mtu,
};

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	struct demo *demo;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
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
