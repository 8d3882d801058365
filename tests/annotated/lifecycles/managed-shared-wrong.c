/* All devices have one variable as the argument of their interrupts, in which memory of one of them lies. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	int value;
};

struct shared {
	spinlock_t lock;
	struct demo *demo;
};

static struct shared shared;

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct shared *all = arg;

	spin_lock(&all->lock);
	if (all->demo)
		all->demo->value++; // RACE!
	spin_unlock(&all->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	spin_lock_irq(&shared.lock);
	if (!shared.demo)
		shared.demo = demo;
	spin_unlock_irq(&shared.lock);
	return devm_request_irq(&pdev->dev, pdev->id, demo_irq, 0, "demo", &shared);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
