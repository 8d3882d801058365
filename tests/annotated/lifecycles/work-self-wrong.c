/* cancel_delayed_work does not wait for the work, which queues itself again. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct delayed_work poll;
	int rounds;
};

static void demo_poll(struct work_struct *work)
{
	struct demo *demo = container_of(to_delayed_work(work), struct demo, poll);

	if (++demo->rounds < 9) // RACE!
		schedule_delayed_work(&demo->poll, HZ);
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_DELAYED_WORK(&demo->poll, demo_poll);
	demo->rounds = 1; // NORACE
	schedule_delayed_work(&demo->poll, HZ);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	cancel_delayed_work(&demo->poll);
	demo->rounds = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
