/* The timer starts in the middle of probe, before it knows its interval. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/spinlock.h>

struct demo {
	struct timer_list timer;
	unsigned long interval, ticks;
};

static void demo_tick(struct timer_list *timer)
{
	struct demo *demo = from_timer(demo, timer, timer);

	demo->ticks++; // NORACE
	mod_timer(timer, jiffies + demo->interval); // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	timer_setup(&demo->timer, demo_tick, 0);
	mod_timer(&demo->timer, jiffies + HZ);
	demo->interval = HZ; // RACE!
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	del_timer_sync(&demo->timer);
	demo->ticks = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
