/* The transmit lock of a device keeps the timeout of its queues out, but not a packet that netpoll sends. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>

void netif_tx_lock(struct net_device *dev);
void netif_tx_lock_bh(struct net_device *dev);
void netif_tx_unlock(struct net_device *dev);
void netif_tx_unlock_bh(struct net_device *dev);

struct demo {
	int by_timeout, by_xmit, late;
};

static int demo_open(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	netif_tx_lock(dev);
	demo->by_timeout = 1; // NORACE
	demo->by_xmit = 1; // RACE!
	netif_tx_unlock(dev);
	demo->late = 1; // RACE!
	return 0;
}

static int demo_stop(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	netif_tx_lock_bh(dev);
	demo->by_timeout = 2; // NORACE
	demo->by_xmit = 2; // RACE!
	netif_tx_unlock_bh(dev);
	demo->late = 2; // RACE!
	return 0;
}

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_xmit++; // RACE!
	return NETDEV_TX_OK;
}

static void demo_timeout(struct net_device *dev, unsigned int queue)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_timeout++; // NORACE
	demo->late++; // RACE!
}

static const struct net_device_ops demo_ops = {
	.ndo_open = demo_open,
	.ndo_stop = demo_stop,
	.ndo_start_xmit = demo_xmit,
	.ndo_tx_timeout = demo_timeout,
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));

	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &demo_ops;
	return register_netdev(dev);
}
module_init(demo_init);
