/* A network driver: RTNL, a lock of its own, an interrupt, and statistics that nobody
 * protects.
 */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct demo_private {
	spinlock_t lock;
	unsigned int head, tail;
	unsigned int wanted;
	unsigned long errors;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct net_device *dev = dev_id;
	struct demo_private *priv = netdev_priv(dev);

	spin_lock(&priv->lock);
	priv->tail++; // NORACE
	spin_unlock(&priv->lock);
	priv->errors++; // RACE!
	return IRQ_HANDLED;
}

static int demo_open(struct net_device *dev)
{
	struct demo_private *priv = netdev_priv(dev);

	priv->wanted = 1; // NORACE
	return request_irq(dev->irq, demo_interrupt, IRQF_SHARED, dev->name, dev);
}

static int demo_stop(struct net_device *dev)
{
	struct demo_private *priv = netdev_priv(dev);

	free_irq(dev->irq, dev);
	priv->wanted = 0; // NORACE
	return 0;
}

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo_private *priv = netdev_priv(dev);
	unsigned long flags;

	spin_lock_irqsave(&priv->lock, flags);
	if (priv->head - priv->tail > 16) { // NORACE
		spin_unlock_irqrestore(&priv->lock, flags);
		return NETDEV_TX_BUSY;
	}
	priv->head++; // NORACE
	spin_unlock_irqrestore(&priv->lock, flags);
	return NETDEV_TX_OK;
}

static void demo_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct demo_private *priv = netdev_priv(dev);

	stats->tx_errors = priv->errors; // RACE!
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_open = demo_open,
	.ndo_stop = demo_stop,
	.ndo_start_xmit = demo_xmit,
	.ndo_get_stats64 = demo_get_stats64,
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo_private));
	struct demo_private *priv;

	if (!dev)
		return -ENOMEM;
	priv = netdev_priv(dev);
	spin_lock_init(&priv->lock);
	priv->head = 0; // NORACE
	priv->errors = 0; // NORACE
	dev->netdev_ops = &demo_netdev_ops;
	return register_netdev(dev);
}
module_init(demo_init);
