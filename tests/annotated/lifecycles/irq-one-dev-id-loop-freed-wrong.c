/* Many lines with one dev_id, of which one is freed. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	int events;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	spin_lock(&demo->lock);
	demo->events++; // RACE!
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int i;

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	platform_set_drvdata(pdev, demo);
	for (i = 0; i < 8; i++)
		if (request_irq(i, demo_interrupt, 0, "demo", demo))
			return -EBUSY;
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(0, demo);
	demo->events = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
