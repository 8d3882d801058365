/* The stack freezes the queues around the timeout, which keeps no packet off that netpoll sends: a lock of the driver's own does. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/platform_device.h>

struct demo {
	spinlock_t lock;
	unsigned int head, tail;
};

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->head++; // RACE!
	spin_lock(&demo->lock);
	demo->tail++; // NORACE
	spin_unlock(&demo->lock);
	dev_kfree_skb_any(skb); // NORACE
	return NETDEV_TX_OK;
}

static void demo_tx_timeout(struct net_device *dev, unsigned int queue)
{
	struct demo *demo = netdev_priv(dev);

	demo->head = 0; // RACE!
	spin_lock(&demo->lock);
	demo->tail = 0; // NORACE
	spin_unlock(&demo->lock);
	netif_wake_queue(dev);
}

static const struct net_device_ops demo_ops = {
	.ndo_start_xmit = demo_xmit,
	.ndo_tx_timeout = demo_tx_timeout,
};

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	struct demo *demo;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
	spin_lock_init(&demo->lock);
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
