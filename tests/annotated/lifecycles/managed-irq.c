/* The interrupt was asked for last, and so it ends before the memory that it uses. */
// verdict: race-free
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
		demo->buffer[0] = irq; // NORACE
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
	buffer = devm_kzalloc(&pdev->dev, 64, GFP_KERNEL);
	demo->buffer = buffer;
	if (devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
