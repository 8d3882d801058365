/* The line's number is in the network device, where an ioctl puts another one. */
// verdict: potential
#include "netdev-irq.h"

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // RACE!
	return IRQ_HANDLED;
}

static int demo_change_mtu(struct net_device *dev, int mtu)
{
	struct demo *demo = netdev_priv(dev);

	disable_irq(dev->irq); // RACE!
	demo->events = 0; // RACE!
	enable_irq(dev->irq); // RACE!
	return 0;
}

static int demo_eth_ioctl(struct net_device *dev, struct ifreq *ifr, int cmd)
{
	dev->irq = cmd; // RACE!
	return 0;
}

static const struct net_device_ops demo_ops = {
	.ndo_eth_ioctl = demo_eth_ioctl,
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
