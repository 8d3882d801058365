/* The object is freed while its work may run: cancel_work does not wait. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	int events, runs;
	struct work_struct work;
};

static struct demo *the_demo;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // NORACE
	schedule_work(&demo->work); // NORACE
	return IRQ_HANDLED;
}

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->runs++; // RACE!
}

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	the_demo = demo;
	return request_irq(7, demo_interrupt, 0, "demo", demo);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	struct demo *demo = the_demo;

	free_irq(7, demo);
	cancel_work(&demo->work);
	kfree(demo); // RACE!
}
module_exit(demo_exit);
