/* Whether a clock is enabled is asked without a lock, also when it is unregistered meanwhile. */
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

static int demo_is_enabled(struct clk_hw *hw)
{
	struct demo *demo = container_of(hw, struct demo, hw);

	if (demo->prepared) // RACE!
		return 1;
	return 0;
}

static const struct clk_ops demo_ops = { .is_enabled = demo_is_enabled };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->init.ops = &demo_ops;
	demo->hw.init = &demo->init;
	return devm_clk_hw_register(&pdev->dev, &demo->hw); // RACE: which operations are called when a clock is registered is not known
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
