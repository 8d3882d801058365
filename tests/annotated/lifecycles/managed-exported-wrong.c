/* Drivers in other modules ask for the memory by a function of this one, which does not know when they are unbound. */
// verdict: race-free
// assume: managed-memory
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

	spin_lock(&demo->lock);
	demo->value++; // MISSED: drivers of other modules are not seen to be unbound
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

int demo_setup(struct device *dev)
{
	struct demo *demo = devm_kzalloc(dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	return request_irq(5, demo_irq, 0, "demo", demo);
}
EXPORT_SYMBOL(demo_setup);
