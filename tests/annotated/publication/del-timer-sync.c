/* The teardown waits for the handler before it changes what the handler uses. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct work_struct work;
	struct timer_list timer;
	int irq;
	int limit;
};

static void demo_timer(struct timer_list *timer)
{
	struct demo *demo = from_timer(demo, timer, timer);

	demo->irq = demo->limit; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->irq = 7;
	timer_setup(&demo->timer, demo_timer, 0);
	mod_timer(&demo->timer, 1000);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	del_timer_sync(&demo->timer);
	demo->limit = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
