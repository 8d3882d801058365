/* An Ethernet device has its MTU and its flags from the beginning: it is not all zero. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>

struct demo {
	int mode;
};

static int demo_open(struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	return demo->mode; // RACE!
}

static const struct net_device_ops demo_ops = { .ndo_open = demo_open };

static int __init demo_init(void)
{
	struct net_device *net = alloc_etherdev_mqs(sizeof(struct demo), 1, 1);
	struct demo *demo;

	if (!net)
		return -ENOMEM;
	demo = netdev_priv(net);
	net->netdev_ops = &demo_ops;
	if (!net->mtu)
		return -EINVAL;
	if (register_netdev(net))
		return -ENODEV;
	demo->mode = 2; // RACE!
	return 0;
}
module_init(demo_init);
