/* The number is changed by another function under RTNL: what is held off is not the line that was requested. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/interrupt.h>

struct demo {
	int irq;
	int events;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // RACE!
	return IRQ_HANDLED;
}

static int demo_change_mtu(struct net_device *dev, int mtu)
{
	struct demo *demo = netdev_priv(dev);

	demo->irq = mtu; // NORACE
	return 0;
}

static int demo_open(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	disable_irq(demo->irq);
	demo->events = 0; // RACE!
	enable_irq(demo->irq);
	return 0;
}

static const struct net_device_ops demo_ops = {
	.ndo_open = demo_open,
	.ndo_change_mtu = demo_change_mtu,
};

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	struct demo *demo;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
	demo->irq = platform_get_irq(pdev, 0); // NORACE
	dev->netdev_ops = &demo_ops;
	if (request_irq(demo->irq, demo_interrupt, 0, "demo", demo))
		return -EBUSY;
	return register_netdev(dev);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
