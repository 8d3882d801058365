/* All forms of what requests interrupts, starts timers and schedules tasklets: before it, nobody else has the new object;
 * after it, the function may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>

int devm_request_threaded_irq(struct device *dev, unsigned int irq, irq_handler_t handler, irq_handler_t thread,
			      unsigned long flags, const char *name, void *dev_id);
int request_any_context_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *dev);
int devm_request_any_context_irq(struct device *dev, unsigned int irq, irq_handler_t handler, unsigned long flags,
				 const char *name, void *dev_id);

struct timerqueue_node { struct list_head node; s64 expires; };
struct hrtimer {
	struct timerqueue_node node;
	s64 _softexpires;
	int (*function)(struct hrtimer *timer);
};
void hrtimer_start(struct hrtimer *timer, s64 time, int mode);
void hrtimer_restart(struct hrtimer *timer);
void hrtimer_start_expires(struct hrtimer *timer, int mode);
void __tasklet_schedule(struct tasklet_struct *t);
void __tasklet_hi_schedule(struct tasklet_struct *t);
bool irq_work_queue_on(struct irq_work *work, int cpu);

struct demo {
	int any, managed, threaded, managed_any;
	struct hrtimer start_timer, restart_timer, expires_timer;
	struct tasklet_struct low_tasklet, high_tasklet;
	struct irq_work work;
	int start, restart, expires, low, high, worked;
};

static irqreturn_t any_irq(int irq, void *dev_id)
{
	int *events = dev_id;

	++*events; // RACE!
	return IRQ_HANDLED;
}

static irqreturn_t managed_irq(int irq, void *dev_id)
{
	int *events = dev_id;

	++*events; // RACE!
	return IRQ_HANDLED;
}

static irqreturn_t threaded_irq(int irq, void *dev_id)
{
	int *events = dev_id;

	++*events; // RACE!
	return IRQ_HANDLED;
}

static irqreturn_t managed_any_irq(int irq, void *dev_id)
{
	int *events = dev_id;

	++*events; // RACE!
	return IRQ_HANDLED;
}

static int start_function(struct hrtimer *timer)
{
	container_of(timer, struct demo, start_timer)->start++; // RACE!
	return 0;
}

static int restart_function(struct hrtimer *timer)
{
	container_of(timer, struct demo, restart_timer)->restart++; // RACE!
	return 0;
}

static int expires_function(struct hrtimer *timer)
{
	container_of(timer, struct demo, expires_timer)->expires++; // RACE!
	return 0;
}

static void low_function(struct tasklet_struct *t)
{
	container_of(t, struct demo, low_tasklet)->low++; // RACE!
}

static void high_function(struct tasklet_struct *t)
{
	container_of(t, struct demo, high_tasklet)->high++; // RACE!
}

static void demo_work(struct irq_work *work)
{
	container_of(work, struct demo, work)->worked++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	init_irq_work(&demo->work, demo_work);
	demo->start_timer.function = start_function;
	demo->restart_timer.function = restart_function;
	demo->expires_timer.function = expires_function;
	tasklet_setup(&demo->low_tasklet, low_function);
	tasklet_setup(&demo->high_tasklet, high_function);

	demo->any = 1; // NORACE
	if (request_any_context_irq(1, any_irq, 0, "demo", &demo->any))
		return -EBUSY;
	demo->any = 2; // RACE!

	demo->managed = 1; // NORACE
	if (devm_request_irq(&pdev->dev, 2, managed_irq, 0, "demo", &demo->managed))
		return -EBUSY;
	demo->managed = 2; // RACE!

	demo->threaded = 1; // NORACE
	if (devm_request_threaded_irq(&pdev->dev, 3, NULL, threaded_irq, 0, "demo", &demo->threaded))
		return -EBUSY;
	demo->threaded = 2; // RACE!

	demo->managed_any = 1; // NORACE
	if (devm_request_any_context_irq(&pdev->dev, 4, managed_any_irq, 0, "demo", &demo->managed_any))
		return -EBUSY;
	demo->managed_any = 2; // RACE!

	demo->start = 1; // NORACE
	hrtimer_start(&demo->start_timer, 1, 0);
	demo->start = 2; // RACE!

	demo->restart = 1; // NORACE
	hrtimer_restart(&demo->restart_timer);
	demo->restart = 2; // RACE!

	demo->expires = 1; // NORACE
	hrtimer_start_expires(&demo->expires_timer, 0);
	demo->expires = 2; // RACE!

	demo->low = 1; // NORACE
	__tasklet_schedule(&demo->low_tasklet);
	demo->low = 2; // RACE!

	demo->high = 1; // NORACE
	__tasklet_hi_schedule(&demo->high_tasklet);
	demo->high = 2; // RACE!

	demo->worked = 1; // NORACE
	irq_work_queue_on(&demo->work, 0);
	demo->worked = 2; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
