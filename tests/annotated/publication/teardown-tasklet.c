/* tasklet_kill waits until the tasklet is over. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/workqueue.h>

struct demo {
	struct tasklet_struct tasklet;
	int events;
};

static void demo_tasklet(struct tasklet_struct *t)
{
	container_of(t, struct demo, tasklet)->events++; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	tasklet_setup(&demo->tasklet, demo_tasklet);
	tasklet_schedule(&demo->tasklet);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	tasklet_kill(&demo->tasklet);
	demo->events = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
