/* A CAN device ends with its private part when its interrupt is over. */
// verdict: race-free
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

	demo->interrupts++; // NORACE
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
	struct demo *demo = netdev_priv(net);

	unregister_candev(net);
	free_irq(7, demo);
	free_candev(net); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
