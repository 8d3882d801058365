/* ndo_open gives RTNL up and takes it again: the pair must not be omitted. */
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
	rtnl_unlock();
	opened++; // RACE!
	rtnl_lock();
	return 0;
}

static int demo_stop(struct net_device *dev)
{
	opened--; // RACE!
	return 0;
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_open = demo_open,
	.ndo_stop = demo_stop,
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
