/* The work is cancelled, but the interrupt that schedules it ends only with the driver. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	spinlock_t lock;
	int value;
	struct work_struct work;
};

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work);

	spin_lock_irq(&demo->lock); // RACE!
	demo->value++; // RACE!
	spin_unlock_irq(&demo->lock);
}

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	schedule_work(&demo->work);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	INIT_WORK(&demo->work, demo_work);
	platform_set_drvdata(pdev, demo);
	if (devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	cancel_work_sync(&demo->work);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
