/* The timer is started after the object is ready. */
// verdict: race-free
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

	if (demo->limit) // NORACE
		mod_timer(&demo->timer, 1000); // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->irq = 7; // NORACE
	timer_setup(&demo->timer, demo_timer, 0);
	demo->limit = 3; // NORACE
	mod_timer(&demo->timer, 1000);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
