/* Polling runs from napi_enable on, and not after napi_disable. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>

struct demo {
	struct napi_struct napi;
	int polled;
};

static int demo_poll(struct napi_struct *napi, int budget)
{
	container_of(napi, struct demo, napi)->polled++; // RACE!
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	struct demo *demo;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
	netif_napi_add(dev, &demo->napi, demo_poll);

	demo->polled = 1; // NORACE
	napi_enable(&demo->napi);
	demo->polled = 2; // RACE!
	napi_disable(&demo->napi);
	demo->polled = 3; // NORACE
	napi_enable(&demo->napi);
	demo->polled = 4; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
