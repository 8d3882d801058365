/* The object is made ready after the line was requested, and reset before that is freed. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>

struct demo {
	int limit, handled;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	return IRQ_WAKE_THREAD;
}

static irqreturn_t demo_thread(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	if (demo->handled < demo->limit) // RACE!
		demo->handled++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	if (request_threaded_irq(7, demo_interrupt, demo_thread, IRQF_ONESHOT, "demo", demo))
		return -EBUSY;
	demo->limit = 9; // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	demo->handled = 0; // RACE!
	free_irq(7, demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
