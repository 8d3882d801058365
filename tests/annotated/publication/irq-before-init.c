/* The irq is started before the object is ready. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	struct work_struct work;
	struct timer_list timer;
	int irq;
	int limit;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	return demo->limit ? IRQ_HANDLED : IRQ_NONE; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->irq = 7; // NORACE
	if (request_irq(demo->irq, demo_interrupt, 0, "demo", demo))
		return -EBUSY;
	demo->limit = 3; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
