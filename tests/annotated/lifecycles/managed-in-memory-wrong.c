/* The driver lies in memory, and does not free the line. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	int value;
	int *buffer;
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
	return request_irq(5, demo_irq, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	return 0;
}

static int __init demo_init(void)
{
	struct platform_driver *driver = kzalloc(sizeof(*driver), GFP_KERNEL);

	if (!driver)
		return -ENOMEM;
	driver->probe = demo_probe;
	driver->remove = demo_remove;
	return platform_driver_register(driver);
}
module_init(demo_init);
