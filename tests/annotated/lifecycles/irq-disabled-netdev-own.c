/* The line's number is in the network device, and the handler gets what lies behind that. */
// verdict: race-free
#include "netdev-irq.h"

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // NORACE
	return IRQ_HANDLED;
}

static int demo_change_mtu(struct net_device *dev, int mtu)
{
	struct demo *demo = netdev_priv(dev);

	disable_irq(dev->irq);
	demo->events = 0; // NORACE
	enable_irq(dev->irq);
	return 0;
}

static const struct net_device_ops demo_ops = {
	.ndo_change_mtu = demo_change_mtu,
};

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	struct demo *demo;
	int err;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
	demo->dev = dev;
	dev->irq = platform_get_irq(pdev, 0);
	dev->netdev_ops = &demo_ops;
	err = request_irq(dev->irq, demo_interrupt, 0, "demo", demo);
	if (err)
		return err;
	return register_netdev(dev);
}
DEMO_DRIVER(demo_probe);
