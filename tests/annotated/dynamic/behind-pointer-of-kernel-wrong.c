/* The time-out is read without the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/watchdog.h>
#include <linux/spinlock.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct wdt {
	spinlock_t lock;
	int left;
};

static int wdt_ping(struct watchdog_device *wdd)
{
	struct wdt *wdt = watchdog_get_drvdata(wdd);

	spin_lock(&wdt->lock);
	wdt->left = 10; // RACE!
	spin_unlock(&wdt->lock);
	return 0;
}

static const struct watchdog_ops wdt_ops = {
	.owner = THIS_MODULE,
	.start = wdt_ping,
	.ping = wdt_ping,
};

void wdt_tick(struct watchdog_device *wdd)
{
	struct wdt *wdt = watchdog_get_drvdata(wdd);

	spin_lock(&wdt->lock);
	spin_unlock(&wdt->lock);
	wdt->left--; // RACE!
}
EXPORT_SYMBOL_GPL(wdt_tick);

static int wdt_probe(struct platform_device *pdev)
{
	struct watchdog_device *wdd = kzalloc(sizeof(*wdd), GFP_KERNEL);
	struct wdt *wdt = kzalloc(sizeof(*wdt), GFP_KERNEL);

	if (!wdd || !wdt)
		return -ENOMEM;
	spin_lock_init(&wdt->lock);
	wdd->ops = &wdt_ops;
	watchdog_set_drvdata(wdd, wdt);
	return watchdog_register_device(wdd);
}

static struct platform_driver wdt_driver = {
	.probe = wdt_probe,
	.driver = { .name = "wdt" },
};
module_platform_driver(wdt_driver);
