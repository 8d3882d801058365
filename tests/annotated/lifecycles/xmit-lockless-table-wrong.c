/* What a chip can do is in a table: one does without the lock of the queue. */
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

static const struct {
	int model;
	netdev_features_t features;
} chips[] = {
	{ 1, 1 << 5 },
	{ 2, (1 << 5) | (1 << 12) },
};

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev_mqs(sizeof(struct demo), QUEUES, 1);

	if (!dev)
		return -ENOMEM;
	dev->features |= chips[pdev->id & 1].features;
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
