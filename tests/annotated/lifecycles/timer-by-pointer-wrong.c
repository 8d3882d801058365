/* A variable has the address of the function that moves timers. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/workqueue.h>
#include <linux/timer.h>
#include <linux/mutex.h>
#include <linux/slab.h>
void add_timer_on(struct timer_list *t, int cpu);
struct demo { int irq; int irqs[4]; int count; int line; struct work_struct work; };
static int all; static void demo_t(struct timer_list *w) { all++; } static DEFINE_TIMER(timer, demo_t); struct ops { void (*f)(struct timer_list *, int); }; static struct ops tops = { .f = add_timer_on }; // RACE!
static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->count++;
	return IRQ_HANDLED;
}
static int demo_probe(struct platform_device *pdev)
{
	struct ops *o = pdev->id ? &tops : NULL; if (o) o->f(&timer, pdev->id); return 0;
}
static int demo_remove(struct platform_device *pdev) { return 0; }
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" }, };
static int __init demo_init(void)
{

	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
