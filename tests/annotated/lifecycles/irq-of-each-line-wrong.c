/* The line lies in a variable, which is another one for each device. */
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
static struct demo all; static int line; static DEFINE_MUTEX(m);
static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->count++; // RACE!
	return IRQ_HANDLED;
}
static int demo_probe(struct platform_device *pdev)
{
	int err; mutex_lock(&m); line = platform_get_irq(pdev, 0); err = request_irq(line, demo_irq, 0, "demo", &all); mutex_unlock(&m); return err;
}
static int demo_remove(struct platform_device *pdev) { return 0; }
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" }, };
static int __init demo_init(void)
{

	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
