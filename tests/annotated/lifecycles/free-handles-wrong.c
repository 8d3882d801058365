/* The handler touches nothing of the object but its work: that is freed all the same while it may be queued. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

struct demo {
	int irq;
	struct work_struct work;
	struct timer_list timer;
	struct tasklet_struct tasklet;
};

static struct demo *the_demo;
static int runs;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	schedule_work(&demo->work); // RACE!
	mod_timer(&demo->timer, jiffies + HZ); // RACE!
	tasklet_schedule(&demo->tasklet); // RACE!
	return IRQ_HANDLED;
}

static void demo_work(struct work_struct *work) // RACE!
{
	WRITE_ONCE(runs, 1);
}

static void demo_timer(struct timer_list *t) // RACE!
{
	WRITE_ONCE(runs, 2);
}

static void demo_tasklet(struct tasklet_struct *t) // RACE!
{
	WRITE_ONCE(runs, 3);
}

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	timer_setup(&demo->timer, demo_timer, 0);
	tasklet_setup(&demo->tasklet, demo_tasklet);
	the_demo = demo;
	return request_irq(7, demo_interrupt, 0, "demo", demo);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	disable_irq_nosync(7);
	kfree(the_demo); // RACE!
}
module_exit(demo_exit);
