/* The lock of the device is given back meanwhile, as the mutex that it is. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/string.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>
#include <linux/timer.h>
#include <linux/minmax.h>

struct demo { struct work_struct work; struct timer_list timer; int count; struct platform_device *other; struct list_head list; struct mutex lock; };
static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);
	if (READ_ONCE(demo->count)) return; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	mutex_init(&demo->lock);
	platform_set_drvdata(pdev, demo);
	schedule_work(&demo->work);
	return 0;
}

static int demo_resume(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);
	schedule_work(&demo->work);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);
	cancel_work_sync(&demo->work);
	mutex_unlock(&pdev->dev.mutex);
	mutex_lock(&pdev->dev.mutex);
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .resume = demo_resume, .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo"  }, };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
