/* The error counters of a CAN device are asked for under RTNL; its interrupt does not know that. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/can/dev.h>

struct demo {
	struct can_priv can;
	int level, errors;
};

static int demo_counters(const struct net_device *net, struct can_berr_counter *counters)
{
	struct demo *demo = netdev_priv(net);

	counters->rxerr = demo->level; // NORACE
	counters->txerr = demo->errors; // RACE!
	return 0;
}

static int demo_open(struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	demo->level = 1; // NORACE
	return 0;
}

static const struct net_device_ops demo_ops = { .ndo_open = demo_open };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = netdev_priv(arg);

	demo->errors++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *net = alloc_candev(sizeof(struct demo), 1);
	struct demo *demo;

	if (!net)
		return -ENOMEM;
	demo = netdev_priv(net);
	demo->can.do_get_berr_counter = demo_counters;
	net->netdev_ops = &demo_ops;
	if (request_irq(7, demo_irq, 0, "demo", net))
		return -EBUSY;
	return register_candev(net);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
