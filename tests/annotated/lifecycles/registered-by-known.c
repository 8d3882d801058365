// verdict: race-free
/* Who makes the device and knows all that it is given to has registered nothing before register_netdev. */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>

struct demo {
	int mode;
};

static int demo_open(struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	return demo->mode; // NORACE
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
	netif_carrier_off(net);
	demo->mode = 2; // NORACE
	return register_netdev(net);
}

module_init(demo_init);
MODULE_LICENSE("GPL");
