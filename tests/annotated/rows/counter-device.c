/* A counter ends with its private part when its interrupt is over. */
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

	demo->interrupts++; // RACE: that the interrupt is over is known of what a struct of the module has alone
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct counter_device *counter = counter_alloc(sizeof(struct demo));
	struct demo *demo;

	if (!counter)
		return -ENOMEM;
	demo = counter_priv(counter);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, counter);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return counter_add(counter);
}

static int demo_remove(struct platform_device *pdev)
{
	struct counter_device *counter = platform_get_drvdata(pdev);
	struct demo *demo = counter_priv(counter);

	counter_unregister(counter);
	free_irq(7, demo);
	counter_put(counter); // RACE: that the interrupt is over is known of what a struct of the module has alone
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
