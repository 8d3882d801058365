/* A CAN device of two queues may send twice at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/can/dev.h>

struct demo {
	struct can_priv can;
	int sent;
};

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	demo->sent++; // RACE!
	return NETDEV_TX_OK;
}

static const struct net_device_ops demo_ops = { .ndo_start_xmit = demo_xmit };

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *net = alloc_candev_mqs(sizeof(struct demo), 1, 2, 1);

	if (!net)
		return -ENOMEM;
	net->netdev_ops = &demo_ops;
	return register_candev(net);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
