/* A timer, a work item and a handler of one line do not run twice at the same time. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static int of_irq, of_timer, of_work;
static struct timer_list timer;
static struct work_struct work;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	of_irq++; // NORACE
	return IRQ_HANDLED;
}

static void demo_timer(struct timer_list *unused)
{
	of_timer++; // NORACE
}

static void demo_work(struct work_struct *unused)
{
	of_work++; // NORACE
}

static int __init demo_init(void)
{
	timer_setup(&timer, demo_timer, 0);
	INIT_WORK(&work, demo_work);
	if (request_irq(7, demo_interrupt, 0, "demo", &timer))
		return -EBUSY;
	mod_timer(&timer, 1000);
	schedule_work(&work);
	return 0;
}
module_init(demo_init);
