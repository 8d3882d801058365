/* Each device has a queue, and a work of its own. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct workqueue_struct *queue;
	struct work_struct work;
	int count;
};

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->count++; // NORACE
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);

	queue_work(demo->queue, &demo->work);
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
	INIT_WORK(&demo->work, demo_work);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static const struct dev_pm_ops demo_pm = { .resume = demo_resume };

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
