/* probe of a second device registers the same handler with the same global as the first one
 * has.
 */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>

struct demo {
	int limit;
};

static struct demo demo;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *of = dev_id;

	of->limit--; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	demo.limit = 3; // RACE!
	return request_irq(7, demo_interrupt, IRQF_SHARED, "demo", &demo);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
