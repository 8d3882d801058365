/* The object of a device is freed when its interrupt, and then the work that it queues, cannot run any more. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/workqueue.h>

struct demo {
	int irq, events, runs;
	struct workqueue_struct *queue;
	struct work_struct work;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // NORACE
	queue_work(demo->queue, &demo->work); // NORACE
	return IRQ_HANDLED;
}

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->runs++; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->queue = alloc_workqueue("demo", 0, 0);
	INIT_WORK(&demo->work, demo_work);
	demo->irq = platform_get_irq(pdev, 0);
	platform_set_drvdata(pdev, demo);
	return request_irq(demo->irq, demo_interrupt, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->irq, demo);
	cancel_work_sync(&demo->work);
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
