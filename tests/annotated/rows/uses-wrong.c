/* The same with one mistake each: it ends while it is used, and is made while it is used. */
// verdict: potential
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include "uses.h"

struct demo { int irq; struct srcu_struct readers; struct device part; struct kthread_worker worker, *other; };

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;
	int reader = srcu_read_lock(&demo->readers); // RACE!

	srcu_read_unlock(&demo->readers, reader); // RACE!
	get_device(&demo->part); // RACE!
	kthread_flush_worker(&demo->worker); // RACE!
	kthread_flush_worker(demo->other); // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->other = kzalloc(sizeof(*demo->other), GFP_KERNEL);
	demo->irq = platform_get_irq(pdev, 0);
	platform_set_drvdata(pdev, demo);
	if (request_irq(demo->irq, demo_irq, 0, "demo", demo))
		return -EBUSY;
	init_srcu_struct(&demo->readers); // RACE!
	device_initialize(&demo->part); // RACE!
	__kthread_init_worker(&demo->worker, "demo", NULL); // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	kfree(demo->other); // RACE!
	kfree(demo); // RACE!
	free_irq(demo->irq, demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
