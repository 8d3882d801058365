/* Nobody frees the interrupt line, but the memory ends with the driver, which has no function for its end. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	int value;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	spin_lock(&demo->lock); // RACE!
	demo->value++; // RACE!
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	if (request_irq(5, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
