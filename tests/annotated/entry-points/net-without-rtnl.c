/* Bonding asks for the link without RTNL, by get_link or by the device's ioctl. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>

struct demo {
	int by_rtnl, by_link, by_ioctl;
};

static int demo_open(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_rtnl = 1; // NORACE
	demo->by_link = 1; // RACE!
	demo->by_ioctl = 1; // RACE!
	return 0;
}

static int demo_change_mtu(struct net_device *dev, int mtu)
{
	struct demo *demo = netdev_priv(dev);

	return demo->by_rtnl; // NORACE
}

static int demo_ioctl(struct net_device *dev, struct ifreq *ifr, int cmd)
{
	struct demo *demo = netdev_priv(dev);

	ifr->value = 1; // NORACE
	return demo->by_ioctl; // RACE!
}

static u32 demo_get_link(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	return demo->by_link; // RACE!
}

static u32 demo_get_msglevel(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	return demo->by_rtnl; // NORACE
}

static const struct net_device_ops demo_ops = {
	.ndo_open = demo_open,
	.ndo_change_mtu = demo_change_mtu,
	.ndo_eth_ioctl = demo_ioctl,
};

static const struct ethtool_ops demo_ethtool_ops = {
	.get_link = demo_get_link,
	.get_msglevel = demo_get_msglevel,
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
