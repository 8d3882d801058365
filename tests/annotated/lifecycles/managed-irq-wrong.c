/* The buffer was asked for after the interrupt, and so it ends while that may still come. */
// verdict: potential
// assume: managed-memory
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	int *buffer;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	spin_lock(&demo->lock); // NORACE
	if (demo->buffer)
		demo->buffer[0] = irq; // RACE!
	spin_unlock(&demo->lock); // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int *buffer;

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	if (devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo))
		return -EBUSY;
	buffer = devm_kzalloc(&pdev->dev, 64, GFP_KERNEL); // RACE!
	spin_lock_irq(&demo->lock);
	demo->buffer = buffer;
	spin_unlock_irq(&demo->lock);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
