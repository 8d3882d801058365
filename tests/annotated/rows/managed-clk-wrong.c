/* A clock that nobody unregisters, in memory that ends. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/clk-provider.h>
#include <linux/slab.h>

int clk_hw_register(struct device *dev, struct clk_hw *hw);

struct demo {
	struct clk_hw hw;
	struct clk_init_data init;
	unsigned int prepared;
};

static int demo_prepare(struct clk_hw *hw)
{
	struct demo *demo = container_of(hw, struct demo, hw);

	demo->prepared++; // RACE!
	return 0;
}

static const struct clk_ops demo_ops = { .prepare = demo_prepare };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->init.ops = &demo_ops;
	demo->hw.init = &demo->init;
	return clk_hw_register(&pdev->dev, &demo->hw);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
