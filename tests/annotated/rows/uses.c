/* A function of the kernel's uses what it gets, whether its row says what it does there or not: so it is over before that ends, and
   comes after what makes it ready. */
// verdict: race-free
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
	int reader = srcu_read_lock(&demo->readers); // NORACE

	srcu_read_unlock(&demo->readers, reader); // NORACE
	get_device(&demo->part); // NORACE
	kthread_flush_worker(&demo->worker); // NORACE
	kthread_flush_worker(demo->other); // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->other = kzalloc(sizeof(*demo->other), GFP_KERNEL);
	demo->irq = platform_get_irq(pdev, 0);
	init_srcu_struct(&demo->readers); // NORACE
	device_initialize(&demo->part); // NORACE
	__kthread_init_worker(&demo->worker, "demo", NULL); // NORACE
	platform_set_drvdata(pdev, demo);
	return request_irq(demo->irq, demo_irq, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->irq, demo);
	kfree(demo->other); // NORACE
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
