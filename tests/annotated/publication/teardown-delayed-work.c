/* cancel_delayed_work_sync waits until the work is over. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/workqueue.h>

struct demo {
	struct delayed_work work;
	int events;
};

static void demo_work(struct work_struct *work)
{
	container_of(work, struct demo, work.work)->events++; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_DELAYED_WORK(&demo->work, demo_work);
	schedule_delayed_work(&demo->work, 1);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	cancel_delayed_work_sync(&demo->work);
	demo->events = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
