/* The interrupt starts the work, and only the interrupt is ended before the object is. */
// verdict: potential
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int events;
};

int demo_start(void);

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->events++; // RACE!
}

static irqreturn_t demo_interrupt(int irq, void *id)
{
	struct demo *demo = id;

	schedule_work(&demo->work);
	return IRQ_HANDLED;
}

static void demo_stop(struct demo *demo)
{
	free_irq(5, demo);
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	err = request_irq(5, demo_interrupt, 0, "demo", demo);
	if (err)
		goto free;
	err = demo_start();
	if (err)
		goto stop;
	platform_set_drvdata(pdev, demo);
	return 0;

stop:
	demo_stop(demo);
	demo->events = 0; // RACE!
free:
	kfree(demo); // RACE!
	return err;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
