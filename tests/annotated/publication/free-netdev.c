/* A device is freed when no operation of it can run any more. */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>

struct demo_private {
	unsigned int wanted;
};

static struct net_device *demo_dev;

static void demo_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct demo_private *priv = netdev_priv(dev);

	stats->tx_errors = priv->wanted; // NORACE
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_get_stats64 = demo_get_stats64,
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo_private));

	if (!dev)
		return -ENOMEM;
	demo_dev = dev;
	dev->netdev_ops = &demo_netdev_ops;
	return register_netdev(dev);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	unregister_netdev(demo_dev);
	free_netdev(demo_dev); // NORACE
}
module_exit(demo_exit);
