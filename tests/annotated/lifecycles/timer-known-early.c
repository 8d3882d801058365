/* The device knows its object before the timer is started. Nobody gets the object from there meanwhile: remove has to
 * wait for the lock of the device. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct demo {
	struct timer_list timer;
	int ticks;
};

static void demo_timer(struct timer_list *t)
{
	struct demo *demo = from_timer(demo, t, timer);

	demo->ticks++; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	timer_setup(&demo->timer, demo_timer, 0);
	platform_set_drvdata(pdev, demo);
	mod_timer(&demo->timer, jiffies + HZ);
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
