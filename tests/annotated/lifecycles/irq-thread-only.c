/* Only the thread of a line works: one thread per handler, started after the object is ready. */
// verdict: race-free
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

	if (demo->handled < demo->limit) // NORACE
		demo->handled++; // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	demo->limit = 9; // NORACE
	return request_threaded_irq(7, demo_interrupt, demo_thread, IRQF_ONESHOT, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(7, demo);
	demo->handled = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
