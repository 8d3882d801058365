/* tasklet_disable_nosync does not wait for a tasklet that runs. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>

struct demo {
	struct tasklet_struct tasklet;
	int runs;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	tasklet_schedule(&demo->tasklet);
	return IRQ_HANDLED;
}

static void demo_tasklet(struct tasklet_struct *t)
{
	struct demo *demo = container_of(t, struct demo, tasklet);

	demo->runs++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	tasklet_setup(&demo->tasklet, demo_tasklet);
	platform_set_drvdata(pdev, demo);
	return request_irq(7, demo_interrupt, 0, "demo", demo);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(7, demo);
	tasklet_disable_nosync(&demo->tasklet);
	demo->runs = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
