/* A wiphy ends with its private part when its interrupt is over. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <net/cfg80211.h>

struct demo {
	int level, interrupts;
};

static const struct cfg80211_ops demo_ops;

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // RACE: that the interrupt is over is known of what a struct of the module has alone
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct wiphy *wiphy = wiphy_new(&demo_ops, sizeof(struct demo));
	struct demo *demo;

	if (!wiphy)
		return -ENOMEM;
	demo = wiphy_priv(wiphy);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, wiphy);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return wiphy_register(wiphy);
}

static int demo_remove(struct platform_device *pdev)
{
	struct wiphy *wiphy = platform_get_drvdata(pdev);
	struct demo *demo = wiphy_priv(wiphy);

	wiphy_unregister(wiphy);
	free_irq(7, demo);
	wiphy_free(wiphy); // RACE: that the interrupt is over is known of what a struct of the module has alone
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
