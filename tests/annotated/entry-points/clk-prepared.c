/* Whether a clock is prepared the framework asks under the mutex under which it prepares it. */
// verdict: race-free
#include <linux/module.h>
#include <linux/clk-provider.h>

static int prepared;

static int demo_prepare(struct clk_hw *hw)
{
	prepared = 1; // NORACE
	return 0;
}

static void demo_unprepare(struct clk_hw *hw)
{
	prepared = 0; // NORACE
}

static int demo_is_prepared(struct clk_hw *hw)
{
	return prepared; // NORACE
}

static const struct clk_ops demo_ops = {
	.prepare = demo_prepare,
	.unprepare = demo_unprepare,
	.is_prepared = demo_is_prepared,
};

static const struct clk_init_data demo_data = { .name = "demo", .ops = &demo_ops };
static struct clk_hw demo_hw = { .init = &demo_data };

static int __init demo_init(void)
{
	return clk_hw_register(NULL, &demo_hw);
}
module_init(demo_init);
