/* The interrupt of one device copies pointers to the memory of others. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	int value;
};

static struct demo *all[4];
static DEFINE_SPINLOCK(demo_lock);

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *copy[4];
	int i;

	spin_lock(&demo_lock);
	for (i = 0; i < 4; i++)
		copy[i] = all[i];
	if (copy[irq & 3])
		copy[irq & 3]->value++; // RACE!
	spin_unlock(&demo_lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	spin_lock_irq(&demo_lock);
	all[pdev->id & 3] = demo;
	spin_unlock_irq(&demo_lock);
	return devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
