/* irq_work_sync waits for the run that ends first, which is all only if the function does not run on two CPUs. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/irq_work.h>

struct demo {
	struct irq_work work;
	int limit, runs;
};

static void demo_work(struct irq_work *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->runs += demo->limit; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	init_irq_work(&demo->work, demo_work);
	irq_work_queue(&demo->work);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	irq_work_sync(&demo->work);
	demo->limit = 0; // RACE: that it is queued once is not seen
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
