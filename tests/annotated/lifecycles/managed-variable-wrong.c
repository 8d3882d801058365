/* The interrupt of one device uses the memory of another, which it has from a variable. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	int value;
};

static struct demo *first;
static DEFINE_SPINLOCK(demo_lock);

static irqreturn_t demo_irq(int irq, void *arg)
{
	spin_lock(&demo_lock);
	if (first)
		first->value++; // RACE!
	spin_unlock(&demo_lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	spin_lock_irq(&demo_lock);
	if (!first)
		first = demo;
	spin_unlock_irq(&demo_lock);
	return devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
