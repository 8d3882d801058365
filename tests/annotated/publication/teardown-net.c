/* Who sends packets queues the work: nobody sends any more when the teardown waits for it. */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int stuck;
};

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->stuck++; // NORACE
}

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	schedule_work(&demo->work);
	return NETDEV_TX_OK;
}

static const struct net_device_ops demo_ops = {
	.ndo_start_xmit = demo_xmit,
};

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));
	struct demo *demo;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
	INIT_WORK(&demo->work, demo_work);
	dev->netdev_ops = &demo_ops;
	platform_set_drvdata(pdev, dev);
	return register_netdev(dev);
}

static int demo_remove(struct platform_device *pdev)
{
	struct net_device *dev = platform_get_drvdata(pdev);
	struct demo *demo = netdev_priv(dev);

	unregister_netdev(dev);
	cancel_work_sync(&demo->work);
	demo->stuck = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
