/* One instruction starts more timers than are told apart; each object is ready before its timer starts. */
// verdict: race-free
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

	if (channel->limit) // NORACE
		mod_timer(&channel->timer, 1000);
}

static void channel_start(void)
{
	struct channel *channel = kzalloc(sizeof(*channel), GFP_KERNEL);

	if (!channel)
		return;
	timer_setup(&channel->timer, channel_timer, 0);
	channel->limit = 3; // NORACE
	mod_timer(&channel->timer, 1000);
}

#define FIVE_TIMES(call) call; call; call; call; call

static int demo_probe(struct platform_device *pdev)
{
	FIVE_TIMES(FIVE_TIMES(channel_start()));
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
