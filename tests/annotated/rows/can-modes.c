/* Bit timing is set by messages, under RTNL, while a CAN device is registered; it is started again, by a work or a message, only after that. */
// verdict: race-free
#include <linux/module.h>
#include <linux/netdevice.h>

struct can_priv {
	int state;
	int (*do_set_bittiming)(struct net_device *dev);
	int (*do_set_mode)(struct net_device *dev, int mode);
	int (*do_set_termination)(struct net_device *dev, u16 term);
};
struct net_device *alloc_candev_mqs(int sizeof_priv, unsigned int echo_skb_max, unsigned int txqs, unsigned int rxqs);
int register_candev(struct net_device *dev);
void unregister_candev(struct net_device *dev);

struct demo {
	struct can_priv can;
	int timing, mode;
};

static struct net_device *the_device;

static int demo_open(struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	demo->timing++; // NORACE
	return 0;
}

static int demo_set_bittiming(struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	demo->timing = 7; // NORACE
	return 0;
}

static int demo_set_mode(struct net_device *net, int mode)
{
	struct demo *demo = netdev_priv(net);

	return demo->mode; // NORACE
}

static const struct net_device_ops demo_ops = { .ndo_open = demo_open };

static int __init demo_init(void)
{
	struct net_device *net = alloc_candev_mqs(sizeof(struct demo), 1, 1, 1);
	struct demo *demo;
	int err;

	if (!net)
		return -ENOMEM;
	demo = netdev_priv(net);
	demo->can.do_set_bittiming = demo_set_bittiming;
	demo->can.do_set_mode = demo_set_mode;
	net->netdev_ops = &demo_ops;
	demo->timing = 1; // NORACE
	demo->mode = 1; // NORACE
	err = register_candev(net);
	if (err)
		return err;
	the_device = net;
	return 0;
}

static void __exit demo_exit(void)
{
	struct demo *demo = netdev_priv(the_device);

	unregister_candev(the_device);
	demo->timing = 0; // NORACE
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
