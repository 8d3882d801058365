/* A device of mac80211 ends with its private part when its interrupt is over. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <net/mac80211.h>

struct demo {
	int level, interrupts;
};

static const struct ieee80211_ops demo_ops;

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // RACE: that the interrupt is over is known of what a struct of the module has alone
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct ieee80211_hw *hw = ieee80211_alloc_hw(sizeof(struct demo), &demo_ops);
	struct demo *demo;

	if (!hw)
		return -ENOMEM;
	demo = hw->priv;
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, hw);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return ieee80211_register_hw(hw);
}

static int demo_remove(struct platform_device *pdev)
{
	struct ieee80211_hw *hw = platform_get_drvdata(pdev);
	struct demo *demo = hw->priv;

	ieee80211_unregister_hw(hw);
	free_irq(7, demo);
	ieee80211_free_hw(hw); // RACE: that the interrupt is over is known of what a struct of the module has alone
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
