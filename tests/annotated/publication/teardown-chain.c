/* An interrupt and a timer that sets itself queue the work: both are over before the teardown waits for it. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/spinlock.h>

struct demo {
	struct timer_list timer;
	struct work_struct work;
	int runs;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	schedule_work(&demo->work);
	return IRQ_HANDLED;
}

static void demo_timer(struct timer_list *t)
{
	struct demo *demo = from_timer(demo, t, timer);

	schedule_work(&demo->work);
	mod_timer(&demo->timer, jiffies + HZ);
}

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->runs++; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	timer_setup(&demo->timer, demo_timer, 0);
	mod_timer(&demo->timer, jiffies + HZ);
	platform_set_drvdata(pdev, demo);
	return request_irq(7, demo_interrupt, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(7, demo);
	del_timer_sync(&demo->timer);
	cancel_work_sync(&demo->work);
	demo->runs = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
