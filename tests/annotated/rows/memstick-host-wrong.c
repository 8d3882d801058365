/* A memory stick host ends with its private part while its interrupt may come. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/memstick.h>

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
	struct memstick_host *host = memstick_alloc_host(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!host)
		return -ENOMEM;
	demo = memstick_priv(host);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, host);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return memstick_add_host(host);
}

static int demo_remove(struct platform_device *pdev)
{
	struct memstick_host *host = platform_get_drvdata(pdev);

	memstick_remove_host(host);
	memstick_free_host(host); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
