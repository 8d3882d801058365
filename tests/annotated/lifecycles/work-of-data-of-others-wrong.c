/* Another module sets the data, and may give one thing to two devices. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int count;
};

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->count++; // RACE!
}

void demo_begin(struct demo *demo)
{
	INIT_WORK(&demo->work, demo_work); // RACE!
}
EXPORT_SYMBOL_GPL(demo_begin);

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	cancel_work_sync(&demo->work); // RACE!
	kfree(demo); // RACE!
	return 0;
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);

	schedule_work(&demo->work); // RACE!
	return 0;
}

static const struct dev_pm_ops demo_pm = { .resume = demo_resume };

static struct platform_driver demo_driver = {
	.remove = demo_remove,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
