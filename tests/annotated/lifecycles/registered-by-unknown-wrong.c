// verdict: potential
/* A function without a row gets a network device that this thread has made: it may register it, so ndo_open may run from there on. */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>

int other_register(struct net_device *dev);

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
	if (other_register(net))
		return -ENODEV;
	demo->mode = 2; // RACE!
	return 0;
}

module_init(demo_init);
MODULE_LICENSE("GPL");
