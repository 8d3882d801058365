/* A timer that sets itself again, armed before the object is known: del_timer_sync ends it. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct demo {
	struct timer_list timer, other;
	int ticks;
};

static void demo_timer(struct timer_list *t)
{
	struct demo *demo = from_timer(demo, t, timer);

	demo->ticks++; // NORACE
	mod_timer(&demo->timer, jiffies + HZ);
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->ticks = 1; // NORACE
	timer_setup(&demo->timer, demo_timer, 0);
	mod_timer(&demo->timer, jiffies + HZ);
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
