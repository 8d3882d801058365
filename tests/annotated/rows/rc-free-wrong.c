/* A remote control, and its input device, end while an interrupt may still use them. */
// verdict: potential
#include "rc.h"

struct demo { struct rc_dev *own, *managed; int irq; };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;
	struct input_dev *input;
	int known = 0;

	if (READ_ONCE(demo->own)) {
		known += READ_ONCE(demo->own)->timeout; // RACE!
		input = READ_ONCE(demo->own)->input_dev; // RACE!
		known += !input->name; // RACE!
		rc_keyup(READ_ONCE(demo->own)); // RACE!
	}
	if (READ_ONCE(demo->managed)) {
		known += READ_ONCE(demo->managed)->timeout; // RACE!
		input = READ_ONCE(demo->managed)->input_dev; // RACE!
		known += !input->name; // RACE!
	}
	return known ? IRQ_HANDLED : IRQ_NONE;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->irq = platform_get_irq(pdev, 0);
	if (devm_request_irq(&pdev->dev, demo->irq, demo_irq, 0, "demo", demo))
		return -EIO;
	WRITE_ONCE(demo->own, rc_allocate_device(0));
	WRITE_ONCE(demo->managed, devm_rc_allocate_device(&pdev->dev, 0)); // RACE!
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	rc_free_device(demo->own); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
