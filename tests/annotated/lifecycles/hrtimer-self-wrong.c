/* The timer is started before the object is ready, and may run when that is reset. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/hrtimer.h>

struct demo {
	struct hrtimer timer;
	int ticks;
};

static enum hrtimer_restart demo_timer(struct hrtimer *timer)
{
	struct demo *demo = container_of(timer, struct demo, timer);

	demo->ticks++; // RACE!
	return HRTIMER_RESTART;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->timer.function = demo_timer;
	hrtimer_start(&demo->timer, 1000, HRTIMER_MODE_REL);
	demo->ticks = 1; // RACE!
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	hrtimer_try_to_cancel(&demo->timer);
	demo->ticks = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
