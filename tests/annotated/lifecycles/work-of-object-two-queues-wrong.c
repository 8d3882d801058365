/* The work of an object is queued on two queues, and so runs twice at once. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int runs;
};

static struct workqueue_struct *queue;

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->runs++; // RACE!
}

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	schedule_work(&demo->work);
	queue_work(queue, &demo->work); // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	queue = alloc_workqueue("demo", 0, 0); // RACE!
	return request_irq(7, demo_interrupt, 0, "demo", demo);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
