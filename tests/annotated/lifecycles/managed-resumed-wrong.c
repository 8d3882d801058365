/* The buffer was asked for when the device was resumed, and ends while the interrupt may still come. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/pm.h>

struct demo {
	spinlock_t lock;
	int value;
	int *buffer;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	spin_lock(&demo->lock);
	if (demo->buffer)
		demo->buffer[0]++; // RACE!
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	platform_set_drvdata(pdev, demo);
	return devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo);
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);
	int *buffer = devm_kzalloc(dev, 64, GFP_KERNEL); // RACE!

	spin_lock_irq(&demo->lock);
	demo->buffer = buffer;
	spin_unlock_irq(&demo->lock);
	return 0;
}

static const struct dev_pm_ops demo_pm = { .resume = demo_resume };

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .pm = &demo_pm } };
module_platform_driver(demo_driver);
