/* A managed counter ends with its private part while its interrupt may come. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/counter.h>

struct demo {
	int level, interrupts;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct counter_device *counter = devm_counter_alloc(&pdev->dev, sizeof(struct demo)); // RACE!
	struct demo *demo;

	if (!counter)
		return -ENOMEM;
	demo = counter_priv(counter);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, counter);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return devm_counter_add(&pdev->dev, counter);
}

static int demo_remove(struct platform_device *pdev)
{
	struct counter_device *counter = platform_get_drvdata(pdev);

	(void)counter;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
