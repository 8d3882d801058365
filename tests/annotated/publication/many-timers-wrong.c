/* One instruction starts more timers than are told apart; the last object is made ready when its timer
 * runs. */
// verdict: potential
#include <linux/module.h>
#include <linux/timer.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct channel {
	struct timer_list timer;
	int limit;
};

static void channel_timer(struct timer_list *timer)
{
	struct channel *channel = from_timer(channel, timer, timer);

	if (channel->limit) // RACE!
		mod_timer(&channel->timer, 1000);
}

static void channel_start(int late)
{
	struct channel *channel = kzalloc(sizeof(*channel), GFP_KERNEL);

	if (!channel)
		return;
	timer_setup(&channel->timer, channel_timer, 0);
	if (!late)
		channel->limit = 3; // NORACE
	mod_timer(&channel->timer, 1000);
	if (late)
		channel->limit = 3; // RACE!
}

#define FIVE_TIMES(call) call; call; call; call; call

static int demo_probe(struct platform_device *pdev)
{
	FIVE_TIMES(FIVE_TIMES(channel_start(0)));
	channel_start(1);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
