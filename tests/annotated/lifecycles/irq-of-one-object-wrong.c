/* All devices have one object, to which a variable leads. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/workqueue.h>
#include <linux/timer.h>
#include <linux/slab.h>
struct demo { int irq; int irqs[4]; int count; int line; struct work_struct work; };
static struct demo *all;
static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->count++; // RACE!
	return IRQ_HANDLED;
}
static int demo_probe(struct platform_device *pdev)
{
	return request_irq(platform_get_irq(pdev, 0), demo_irq, 0, "demo", all);
}
static int demo_remove(struct platform_device *pdev) { return 0; }
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" }, };
static int __init demo_init(void)
{
	all = kzalloc(sizeof(*all), GFP_KERNEL); if (!all) return -ENOMEM;
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
