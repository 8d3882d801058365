/* Raw infrared: two interrupts fill one fifo, and the core's parts come after the first and end before it. */
// verdict: potential
#include "rc.h"

struct demo { struct rc_dev *rc; int irq, other; bool busy; };

static void demo_s_idle(struct rc_dev *rc, bool enable)
{
	struct demo *demo = rc->priv;

	demo->busy = !enable; // RACE!
}

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;
	struct ir_raw_event event = { .duration = irq };

	demo->busy = true; // RACE!
	ir_raw_event_store(demo->rc, &event); // RACE!
	ir_raw_event_store_with_filter(demo->rc, &event); // RACE!
	ir_raw_event_set_idle(demo->rc, true); // RACE!
	ir_raw_event_handle(demo->rc); // RACE!
	return IRQ_HANDLED;
}

static irqreturn_t demo_other(int irq, void *arg)
{
	struct demo *demo = arg;
	static struct ir_raw_event event;

	demo->rc->idle = false; // RACE!
	ir_raw_event_store_edge(demo->rc, true); // RACE!
	ir_raw_event_store_with_timeout(demo->rc, &event); // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->rc = devm_rc_allocate_device(&pdev->dev, 1);
	if (!demo->rc)
		return -ENOMEM;
	demo->rc->priv = demo;
	demo->rc->s_idle = demo_s_idle;
	demo->irq = platform_get_irq(pdev, 0);
	if (devm_request_irq(&pdev->dev, demo->irq, demo_irq, 0, "demo", demo))
		return -EIO;
	if (devm_rc_register_device(&pdev->dev, demo->rc)) // RACE!
		return -EIO;
	demo->other = platform_get_irq(pdev, 1);
	return devm_request_irq(&pdev->dev, demo->other, demo_other, 0, "demo", demo);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
