/* Raw infrared: one interrupt fills the fifo, by whatever function, and the core's parts end with the driver, after the interrupt. */
#include "rc.h"

struct demo { struct rc_dev *rc; int irq; };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;
	struct ir_raw_event event = { .duration = irq };

	if (irq & 1)
		ir_raw_event_store(demo->rc, &event); // NORACE
	else if (irq & 2)
		ir_raw_event_store_edge(demo->rc, true); // NORACE
	else if (irq & 4)
		ir_raw_event_store_with_filter(demo->rc, &event); // NORACE
	else if (irq & 8)
		ir_raw_event_store_with_timeout(demo->rc, &event); // NORACE
	else
		ir_raw_event_set_idle(demo->rc, true); // NORACE
	ir_raw_event_handle(demo->rc); // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->rc = devm_rc_allocate_device(&pdev->dev, 1); // NORACE
	if (!demo->rc)
		return -ENOMEM;
	demo->rc->map_name = "rc-empty"; // NORACE
	if (devm_rc_register_device(&pdev->dev, demo->rc)) // NORACE
		return -EIO;
	demo->irq = platform_get_irq(pdev, 0);
	return devm_request_irq(&pdev->dev, demo->irq, demo_irq, 0, "demo", demo);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
