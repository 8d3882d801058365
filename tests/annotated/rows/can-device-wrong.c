/* A CAN device ends with its private part while its interrupt may come. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/can/dev.h>

struct demo {
	int level, interrupts;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *net = alloc_candev(sizeof(struct demo), 1);
	struct demo *demo;

	if (!net)
		return -ENOMEM;
	demo = netdev_priv(net);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, net);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return register_candev(net);
}

static int demo_remove(struct platform_device *pdev)
{
	struct net_device *net = platform_get_drvdata(pdev);

	unregister_candev(net);
	free_candev(net); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
