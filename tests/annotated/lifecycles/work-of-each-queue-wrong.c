/* Each device has a queue, and all queue the same work, which may run for several at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct workqueue_struct *queue;
	struct work_struct work;
	int count;
};

static struct demo demo_all;

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->count++; // RACE!
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);

	queue_work(demo->queue, &demo_all.work);
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->queue = alloc_workqueue("demo", 0, 0);
	if (!demo->queue) {
		kfree(demo);
		return -ENOMEM;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
}

static const struct dev_pm_ops demo_pm = { .resume = demo_resume };

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm },
};

static int __init demo_init(void)
{
	INIT_WORK(&demo_all.work, demo_work);
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
