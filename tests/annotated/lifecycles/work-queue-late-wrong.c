/* What the work uses is reset before its queue is ended. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct workqueue_struct *queue;
	struct work_struct work;
	int runs;
};

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->runs++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->queue = alloc_workqueue("demo", 0, 0);
	INIT_WORK(&demo->work, demo_work);
	platform_set_drvdata(pdev, demo);
	queue_work(demo->queue, &demo->work);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	demo->runs = 0; // RACE!
	destroy_workqueue(demo->queue);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
