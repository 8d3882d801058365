/* A device's address is in memory of its own: no other buffer is there. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/slab.h>

struct demo_private {
	u8 *buffer;
	unsigned char first;
};

static int demo_set_mac_address(struct net_device *dev, void *addr)
{
	struct demo_private *priv = netdev_priv(dev);

	priv->first = dev->dev_addr[0]; // NORACE
	return eth_mac_addr(dev, addr); // RACE!
}

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo_private *priv = netdev_priv(dev);

	priv->buffer[0] = 1; // NORACE
	priv->buffer[1] = dev->dev_addr[0]; // RACE!
	return NETDEV_TX_OK;
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_set_mac_address = demo_set_mac_address,
	.ndo_start_xmit = demo_xmit,
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo_private));
	struct demo_private *priv;

	if (!dev)
		return -ENOMEM;
	priv = netdev_priv(dev);
	priv->buffer = kmalloc(64, GFP_KERNEL);
	if (!priv->buffer)
		return -ENOMEM;
	dev->netdev_ops = &demo_netdev_ops;
	return register_netdev(dev);
}
module_init(demo_init);
