/* The memory is kept in the device only sometimes, and then only is the line freed. */
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
	if (pdev->id == 0)
		platform_set_drvdata(pdev, demo);
	return request_irq(5, demo_irq, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	if (demo)
		free_irq(5, demo);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
