/* Functions that make a device of some class known, and that wait until nobody uses it any more. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/watchdog.h>
#include <linux/hw_random.h>

int devm_hwrng_register(struct device *dev, struct hwrng *rng);
int devm_register_netdev(struct device *dev, struct net_device *ndev);

static int by_watchdog, by_random, by_random_too;

struct demo {
	int by_net;
};

static int demo_start(struct watchdog_device *wdd)
{
	return by_watchdog; // RACE!
}

static const struct watchdog_ops watchdog_ops = { .start = demo_start };
static struct watchdog_device watchdog = { .ops = &watchdog_ops };

static int demo_random(struct hwrng *rng, void *data, size_t max, bool wait)
{
	return by_random; // RACE!
}

static int demo_random_too(struct hwrng *rng, void *data, size_t max, bool wait)
{
	return by_random_too; // RACE!
}

static struct hwrng random = { .name = "demo", .read = demo_random };
static struct hwrng random_too = { .name = "demo", .read = demo_random_too };

static int demo_open(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	return demo->by_net; // RACE!
}

static const struct net_device_ops net_ops = { .ndo_open = demo_open };

static int __init demo_init(void)
{
	struct net_device *dev;
	struct demo *demo;
	int err;

	by_watchdog = 1; // NORACE
	err = devm_watchdog_register_device(NULL, &watchdog);
	if (err)
		return err;
	by_watchdog = 2; // RACE!

	by_random = 1; // NORACE
	err = devm_hwrng_register(NULL, &random);
	if (err)
		return err;
	by_random = 2; // RACE!

	by_random_too = 1; // NORACE
	err = hwrng_register(&random_too);
	if (err)
		return err;
	by_random_too = 2; // RACE!
	hwrng_unregister(&random_too);
	by_random_too = 3; // NORACE

	dev = alloc_etherdev(sizeof(*demo));
	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &net_ops;
	demo = netdev_priv(dev);
	demo->by_net = 1; // NORACE
	err = devm_register_netdev(NULL, dev);
	if (err)
		return err;
	demo->by_net = 2; // RACE!
	return 0;
}
module_init(demo_init);
