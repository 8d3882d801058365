/* The statistics belong to the call. */
// verdict: race-free
// assume: call-owned
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>

static u64 packets;

static void demo_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	stats->rx_packets = 1; // NORACE
	stats->tx_packets = stats->rx_packets; // NORACE
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_get_stats64 = demo_get_stats64,
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_etherdev(0);

	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &demo_netdev_ops;
	return register_netdev(dev);
}
module_init(demo_init);
