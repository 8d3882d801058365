/* A work that queues itself again shares its state with another callback, under a lock. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	int pending;
	struct delayed_work work;
};

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work.work);

	spin_lock(&demo->lock);
	demo->pending = 0; // NORACE
	spin_unlock(&demo->lock);
	schedule_delayed_work(&demo->work, HZ);
}

static int demo_resume(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	spin_lock(&demo->lock);
	demo->pending++; // NORACE
	spin_unlock(&demo->lock);
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	INIT_DELAYED_WORK(&demo->work, demo_work);
	schedule_delayed_work(&demo->work, HZ);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	cancel_delayed_work_sync(&demo->work);
	demo->pending = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.resume = demo_resume,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
