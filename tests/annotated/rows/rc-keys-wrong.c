/* A remote control whose interrupt comes too early and ends too late, and which shares with its functions what they have under the core's lock. */
// verdict: potential
#include "rc.h"

struct demo {
	struct rc_dev *rc;
	int irq;
	u32 carrier, protocol, timeout;
};

static int demo_s_tx_carrier(struct rc_dev *rc, u32 carrier)
{
	struct demo *demo = rc->priv; // RACE!

	demo->carrier = carrier; // RACE!
	return 0;
}

static int demo_change_protocol(struct rc_dev *rc, u64 *protocols)
{
	struct demo *demo = rc->priv; // RACE!

	*protocols = 1; // NORACE
	demo->protocol++; // RACE!
	return 0;
}

static int demo_s_timeout(struct rc_dev *rc, unsigned int timeout)
{
	struct demo *demo = rc->priv; // RACE!

	rc->timeout = timeout; // RACE!
	demo->timeout++; // RACE!
	return 0;
}

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	if (demo->carrier) // RACE!
		rc_keydown(demo->rc, 1, irq, 0); // RACE!
	rc_keyup(demo->rc); // RACE!
	rc_repeat(demo->rc); // RACE!
	demo->rc->last_scancode = 0; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->rc = rc_allocate_device(0);
	if (!demo->rc)
		return -ENOMEM;
	demo->rc->priv = demo;
	demo->rc->s_tx_carrier = demo_s_tx_carrier;
	demo->rc->change_protocol = demo_change_protocol;
	demo->rc->s_timeout = demo_s_timeout;
	demo->irq = platform_get_irq(pdev, 0);
	if (request_irq(demo->irq, demo_irq, 0, "demo", demo))
		return -EIO;
	platform_set_drvdata(pdev, demo);
	return rc_register_device(demo->rc); // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	rc_unregister_device(demo->rc); // RACE!
	free_irq(demo->irq, demo);
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
