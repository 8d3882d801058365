/* ndo_tx_timeout runs without RTNL. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

static int opened;

static int demo_open(struct net_device *dev)
{
	opened++; // RACE!
	return 0;
}

static int demo_stop(struct net_device *dev)
{
	opened--; // RACE!
	return 0;
}

static void demo_tx_timeout(struct net_device *dev, unsigned int queue)
{
	opened = 0; // RACE!
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_open = demo_open,
	.ndo_stop = demo_stop,
	.ndo_tx_timeout = demo_tx_timeout,
};

static int __init demo_netdev_init(void)
{
	struct net_device *dev = alloc_etherdev(0);

	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &demo_netdev_ops;
	return register_netdev(dev);
}
module_init(demo_netdev_init);
