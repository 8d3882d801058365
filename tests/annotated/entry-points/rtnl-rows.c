/* What runs under RTNL, what under the lock of a device's addresses, and what under no lock at all. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>

struct demo {
	int by_rtnl, by_addresses, by_stats;
	int by_nobody;
};

static int demo_init_device(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_rtnl = 1; // NORACE
	return 0;
}

static int demo_change_mtu(struct net_device *dev, int mtu)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_rtnl = mtu; // NORACE
	demo->by_addresses = mtu; // RACE!
	return 0;
}

static int demo_set_features(struct net_device *dev, netdev_features_t features)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_rtnl = features; // NORACE
	return 0;
}

static int demo_validate(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	return demo->by_rtnl; // NORACE
}

static int demo_set_address(struct net_device *dev, void *addr)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_rtnl = *(char *)addr; // NORACE
	demo->by_stats = 1; // RACE!
	return 0;
}

static void demo_set_rx_mode(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_addresses++; // RACE!
}

static struct net_device_stats *demo_get_stats(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_stats++; // RACE!
	return &dev->stats;
}

static void demo_poll_controller(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_stats--; // RACE!
}

static const struct net_device_ops demo_ops = {
	.ndo_init = demo_init_device,
	.ndo_change_mtu = demo_change_mtu,
	.ndo_set_features = demo_set_features,
	.ndo_validate_addr = demo_validate,
	.ndo_set_mac_address = demo_set_address,
	.ndo_set_rx_mode = demo_set_rx_mode,
	.ndo_get_stats = demo_get_stats,
	.ndo_poll_controller = demo_poll_controller,
};

static void demo_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct demo *demo = netdev_priv(dev);

	info->driver[0] = demo->by_nobody++; // RACE!
}

static int demo_set_wol(struct net_device *dev, struct ethtool_wolinfo *wol)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_rtnl = wol->wolopts; // NORACE
	return 0;
}

static void demo_set_msglevel(struct net_device *dev, u32 level)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_rtnl = level; // NORACE
}

static int demo_nway_reset(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	return demo->by_rtnl; // NORACE
}

static const struct ethtool_ops demo_ethtool_ops = {
	.get_drvinfo = demo_get_drvinfo,
	.set_wol = demo_set_wol,
	.set_msglevel = demo_set_msglevel,
	.nway_reset = demo_nway_reset,
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));

	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &demo_ops;
	dev->ethtool_ops = &demo_ethtool_ops;
	return register_netdev(dev);
}
module_init(demo_init);
