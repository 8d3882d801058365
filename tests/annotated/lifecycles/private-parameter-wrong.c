/* The helper that ends everything comes after what it is needed for, and the object is made ready after the start. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct demo {
	spinlock_t lock;
	struct work_struct work;
	int pending;
};

static int demo_take(struct demo *demo, int all)
{
	unsigned long flags;
	int taken;

	spin_lock_irqsave(&demo->lock, flags);
	taken = all ? demo->pending : 1; // RACE!
	demo->pending -= taken; // RACE!
	spin_unlock_irqrestore(&demo->lock, flags);
	return taken;
}

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo_take(demo, 0);
	schedule_work(&demo->work);
	return IRQ_HANDLED;
}

static void demo_work(struct work_struct *work)
{
	demo_take(container_of(work, struct demo, work), 1);
}

static int demo_start(struct platform_device *pdev, struct demo *demo)
{
	platform_set_drvdata(pdev, demo);
	return request_irq(7, demo_interrupt, 0, "demo", demo);
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	INIT_WORK(&demo->work, demo_work);
	if (demo_start(pdev, demo))
		return -EBUSY;
	demo->pending = 9; // RACE!
	return 0;
}

static void demo_end(struct demo *demo)
{
	free_irq(7, demo);
	cancel_work_sync(&demo->work);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	demo->pending = 0; // RACE!
	demo_end(demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
