/* A network driver hands what lies behind its device to code outside, which fills it while the counters are read. */
#include <linux/xarray.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);
static struct chip *the_chip;

struct demo { u64 rx; u64 tx; };
static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	return NETDEV_TX_OK;
}
static int demo_open(struct net_device *dev)
{
	return 0;
}
static void demo_stats(struct net_device *dev, struct rtnl_link_stats64 *s)
{
	struct demo *demo = netdev_priv(dev);
	s->rx_packets = demo->rx; // RACE!
}
static irqreturn_t demo_irq(int irq, void *id)
{
	struct net_device *dev = id;
	chip_fill(the_chip, netdev_priv(dev), sizeof(struct demo)); // RACE!
	return IRQ_HANDLED;
}
static const struct net_device_ops demo_ops = { .ndo_open = demo_open, .ndo_start_xmit = demo_xmit, .ndo_get_stats64 = demo_stats };
static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	if (!dev) return -ENOMEM;
	dev->netdev_ops = &demo_ops;
	if (request_irq(5, demo_irq, 0, "demo", dev))
		return -EBUSY;
	return register_netdev(dev); // RACE!
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
