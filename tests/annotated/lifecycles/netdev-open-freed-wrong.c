/* Stop leaves the line and the poll function, which run when the device is freed. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>

struct demo {
	struct napi_struct napi;
	int polled;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	napi_schedule(&demo->napi); // RACE!
	return IRQ_HANDLED;
}

static int demo_poll(struct napi_struct *napi, int budget) // RACE!
{
	struct demo *demo = container_of(napi, struct demo, napi);

	demo->polled++; // RACE!
	napi_complete_done(napi, 0); // RACE!
	return 0;
}

static int demo_open(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	napi_enable(&demo->napi);
	return request_irq(7, demo_interrupt, 0, "demo", demo);
}

static int demo_stop(struct net_device *dev)
{
	netif_stop_queue(dev);
	return 0;
}

static const struct net_device_ops demo_ops = {
	.ndo_open = demo_open,
	.ndo_stop = demo_stop,
};

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	struct demo *demo;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
	netif_napi_add(dev, &demo->napi, demo_poll);
	dev->netdev_ops = &demo_ops;
	platform_set_drvdata(pdev, dev);
	return register_netdev(dev);
}

static int demo_remove(struct platform_device *pdev)
{
	struct net_device *dev = platform_get_drvdata(pdev);

	unregister_netdev(dev);
	free_netdev(dev); // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
