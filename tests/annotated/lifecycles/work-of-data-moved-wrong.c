/* The data go on to another device, which is removed while this one still works on them. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int count;
};

extern struct platform_device *demo_next;

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->count++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	platform_set_drvdata(pdev, demo);
	schedule_work(&demo->work); // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev); // RACE!

	cancel_work_sync(&demo->work); // RACE!
	kfree(demo); // RACE!
	return 0;
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!

	platform_set_drvdata(demo_next, demo); // RACE!
	schedule_work(&demo->work); // RACE!
	return 0;
}

static const struct dev_pm_ops demo_pm = { .resume = demo_resume };

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
