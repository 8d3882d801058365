/* kthread_cancel_delayed_work_sync waits until the work is over. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/workqueue.h>

struct kthread_delayed_work {
	struct kthread_work work;
	int timer;
};
bool kthread_queue_delayed_work(struct kthread_worker *worker, struct kthread_delayed_work *work, unsigned long delay);
bool kthread_cancel_delayed_work_sync(struct kthread_delayed_work *work);

struct demo {
	struct kthread_delayed_work work;
	int events;
};

static void demo_work(struct kthread_work *work)
{
	container_of(work, struct demo, work.work)->events++; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	kthread_init_work(&demo->work.work, demo_work);
	kthread_queue_delayed_work(NULL, &demo->work, 1);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	kthread_cancel_delayed_work_sync(&demo->work);
	demo->events = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
