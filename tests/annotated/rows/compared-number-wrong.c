// verdict: potential
/* A pointer to an URB that is none: a number says that none is wanted. */
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/interrupt.h>

#define NOT_WANTED ((struct urb *)2)

struct demo {
	struct work_struct work;
	struct urb *urb;
	int count;
};

static void demo_work(struct work_struct *work) // RACE: that the work is first queued by the interrupt is not followed
{
	struct demo *demo = container_of(work, struct demo, work);

	if (demo->urb == NOT_WANTED) // RACE: that the work is first queued by the interrupt is not followed
		demo->count++; // RACE!
}

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->count = 0; // RACE!
	schedule_work(&demo->work);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE: that the work is first queued by the interrupt is not followed

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	demo->urb = NOT_WANTED;
	return devm_request_irq(&pdev->dev, platform_get_irq(pdev, 0), demo_irq, 0, "demo", demo);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
