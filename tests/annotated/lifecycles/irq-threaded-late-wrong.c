/* What the thread uses is reset before the line is freed. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	int pending, handled;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	spin_lock(&demo->lock);
	demo->pending++; // RACE!
	spin_unlock(&demo->lock);
	return IRQ_WAKE_THREAD;
}

static irqreturn_t demo_thread(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	spin_lock_irq(&demo->lock);
	demo->handled += demo->pending; // RACE!
	demo->pending = 0; // RACE!
	spin_unlock_irq(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	platform_set_drvdata(pdev, demo);
	return request_threaded_irq(7, demo_interrupt, demo_thread, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	demo->pending = 0; // RACE!
	demo->handled = 0; // RACE!
	free_irq(7, demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
