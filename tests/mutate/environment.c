/* What the kernel holds, alone and together with a lock of the driver's own. */
// row module.init: module-load global:module_state: protects-nothing
// row module.init: runs once: protects-nothing
// row net_device_ops.ndo_open: rtnl global:rtnl: killed
// row net_device_ops.ndo_open: life of netdev arg0: protects-nothing
// row net_device_ops.ndo_stop: rtnl global:rtnl: killed
// row net_device_ops.ndo_stop: life of netdev arg0: protects-nothing
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

static DEFINE_MUTEX(lock);
static int opened, counted;

static int demo_open(struct net_device *dev)
{
	opened++;
	mutex_lock(&lock); // delete: redundant because of rtnl held by the environment; begin: redundant because of rtnl held by the environment; swap: redundant because of rtnl held by the environment
	counted++;
	mutex_unlock(&lock); // end: redundant because of rtnl held by the environment
	return 0;
}

static int demo_stop(struct net_device *dev)
{
	opened--;
	mutex_lock(&lock); // delete: redundant because of rtnl held by the environment; begin: redundant because of rtnl held by the environment; swap: redundant because of rtnl held by the environment
	counted--;
	mutex_unlock(&lock); // end: redundant because of rtnl held by the environment
	return 0;
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_open = demo_open,
	.ndo_stop = demo_stop,
};

static int __init demo_netdev_init(void)
{
	struct net_device *dev = alloc_etherdev(0);

	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &demo_netdev_ops;
	return register_netdev(dev); // delete: protects-nothing; swap: protects-nothing
}
module_init(demo_netdev_init);
