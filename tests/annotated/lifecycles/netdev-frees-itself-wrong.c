/* The device ends when it is unregistered, and its work may still run. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo { struct work_struct work; int stuck; };

static void demo_work(struct work_struct *work) // RACE: the work itself ends, too
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->stuck++; // RACE!
}
static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	schedule_work(&demo->work);
	return NETDEV_TX_OK;
}
static const struct net_device_ops demo_ops = { .ndo_start_xmit = demo_xmit };
static int demo_probe(struct platform_device *pdev)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct demo));

	if (!dev)
		return -ENOMEM;
	INIT_WORK(&((struct demo *)netdev_priv(dev))->work, demo_work); // NORACE
	dev->needs_free_netdev = true; // NORACE
	dev->netdev_ops = &demo_ops; // NORACE
	if (register_netdev(dev)) { // NORACE
		free_netdev(dev); // NORACE
		return -EIO;
	}
	platform_set_drvdata(pdev, dev);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct net_device *dev = platform_get_drvdata(pdev);
	unregister_netdev(dev); // RACE!
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
