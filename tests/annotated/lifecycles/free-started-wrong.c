/* The handler touches nothing of the object but what it starts there: that is freed all the same meanwhile. */
// verdict: potential
#include <linux/module.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/slab.h>

struct demo {
	struct hrtimer timer;
	struct irq_work irq_work;
	struct kthread_work work;
};

static struct demo *the_demo;
static struct kthread_worker *worker;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	hrtimer_start(&demo->timer, 0, HRTIMER_MODE_REL); // RACE!
	irq_work_queue(&demo->irq_work); // RACE!
	kthread_queue_work(worker, &demo->work); // RACE!
	return IRQ_HANDLED;
}

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	the_demo = demo;
	return request_irq(7, demo_interrupt, 0, "demo", demo);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	kfree(the_demo); // RACE!
}
module_exit(demo_exit);
