/* A driver that asks itself whether its clock is prepared does so with whatever it holds. */
// verdict: potential
#include <linux/module.h>
#include <linux/clk-provider.h>

static int prepared;

static int demo_prepare(struct clk_hw *hw)
{
	prepared = 1;
	return 0;
}

static void demo_unprepare(struct clk_hw *hw)
{
	prepared = 0;
}

static int demo_is_prepared(struct clk_hw *hw)
{
	return prepared;
}

static const struct clk_ops demo_ops = {
	.prepare = demo_prepare,
	.unprepare = demo_unprepare,
	.is_prepared = demo_is_prepared,
};

static const struct clk_init_data demo_data = { .name = "demo", .ops = &demo_ops };
static struct clk_hw demo_hw = { .init = &demo_data };

bool demo_ask(void)
{
	return clk_hw_is_prepared(&demo_hw); // RACE: what the row does not follow may do anything
}
EXPORT_SYMBOL(demo_ask);

static int __init demo_init(void)
{
	return clk_hw_register(NULL, &demo_hw); // RACE: with what the row does not follow
}
module_init(demo_init);
