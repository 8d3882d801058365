/* A remote control: its functions run under the core's lock while it is registered; its interrupt comes later, and ends first. */
#include "rc.h"

struct demo { struct rc_dev *rc; int irq; };

static u32 idle_for;

static int demo_open(struct rc_dev *rc)
{
	rc->rx_resolution = 1; // NORACE
	return 0;
}

static void demo_close(struct rc_dev *rc)
{
	rc->rx_resolution = 0; // NORACE
}

static int demo_tx_ir(struct rc_dev *rc, unsigned int *pulses, unsigned int n)
{
	pulses[0] = rc->rx_resolution; // NORACE
	return n;
}

static int demo_s_tx_carrier(struct rc_dev *rc, u32 carrier)
{
	rc->rx_resolution = carrier; // NORACE
	return 0;
}

static int demo_s_filter(struct rc_dev *rc, struct rc_scancode_filter *filter)
{
	rc->rx_resolution = filter->mask; // NORACE
	return 0;
}

static int demo_change_protocol(struct rc_dev *rc, u64 *protocols)
{
	*protocols = rc->allowed_protocols; // NORACE
	return 0;
}

static int demo_s_timeout(struct rc_dev *rc, unsigned int timeout)
{
	return timeout < rc->min_timeout; // NORACE
}

static void demo_s_idle(struct rc_dev *rc, bool enable)
{
	WRITE_ONCE(idle_for, rc->max_timeout); // NORACE
}

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	if (irq & 1)
		rc_keydown(demo->rc, 1, irq, 0); // NORACE
	else if (irq & 2)
		rc_keydown_notimeout(demo->rc, 1, irq, 0); // NORACE
	else if (irq & 4)
		rc_repeat(demo->rc); // NORACE
	else
		rc_keyup(demo->rc); // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->rc = rc_allocate_device(0); // NORACE
	if (!demo->rc)
		goto free_demo;
	demo->rc->open = demo_open; // NORACE
	demo->rc->close = demo_close;
	demo->rc->tx_ir = demo_tx_ir;
	demo->rc->s_tx_carrier = demo_s_tx_carrier;
	demo->rc->s_filter = demo_s_filter;
	demo->rc->change_protocol = demo_change_protocol;
	demo->rc->s_timeout = demo_s_timeout;
	demo->rc->s_idle = demo_s_idle;
	demo->rc->allowed_protocols = 3; // NORACE
	demo->rc->rx_resolution = 50; // NORACE
	demo->rc->input_dev->name = "demo"; // NORACE
	if (rc_register_device(demo->rc)) { // NORACE
		rc_free_device(demo->rc); // NORACE
		goto free_demo;
	}
	demo->irq = platform_get_irq(pdev, 0);
	if (request_irq(demo->irq, demo_irq, 0, "demo", demo)) {
		rc_unregister_device(demo->rc); // NORACE
		goto free_demo;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
free_demo:
	kfree(demo); // NORACE
	return -EIO;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->irq, demo);
	rc_unregister_device(demo->rc); // NORACE
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
