/* The work of a kthread worker is over when the teardown goes on. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/kthread.h>

struct demo {
	struct kthread_worker *worker;
	struct kthread_work work;
	int limit;
};

static void demo_work(struct kthread_work *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->limit++; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	kthread_init_work(&demo->work, demo_work);
	kthread_queue_work(demo->worker, &demo->work);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	kthread_cancel_work_sync(&demo->work);
	demo->limit = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
