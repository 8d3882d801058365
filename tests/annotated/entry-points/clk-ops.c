/* A clock of a driver: preparing and setting under the framework's one mutex, enabling not. */
// verdict: potential
#include <linux/module.h>
#include <linux/clk-provider.h>
#include <linux/platform_device.h>

static int prepared, enabled;

static int demo_prepare(struct clk_hw *hw)
{
	prepared++; // NORACE
	enabled = 0; // RACE!
	return 0;
}

static unsigned long demo_recalc_rate(struct clk_hw *hw, unsigned long parent_rate)
{
	return prepared; // NORACE
}

static long demo_round_rate(struct clk_hw *hw, unsigned long rate, unsigned long *parent_rate)
{
	*parent_rate = rate; // NORACE
	return rate;
}

static int demo_enable(struct clk_hw *hw)
{
	enabled++; // RACE!
	return 0;
}

static const struct clk_ops demo_ops = {
	.prepare = demo_prepare,
	.recalc_rate = demo_recalc_rate,
	.round_rate = demo_round_rate,
	.enable = demo_enable,
};

static const struct clk_init_data demo_data = { .name = "demo", .ops = &demo_ops };
static struct clk_hw demo_hw = { .init = &demo_data };

static int demo_probe(struct platform_device *pdev)
{
	return devm_clk_hw_register(&pdev->dev, &demo_hw); // RACE!
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
