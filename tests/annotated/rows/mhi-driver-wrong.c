/* Memory that ends with a driver of MHI devices, while its work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/mhi.h>

struct demo {
	struct work_struct work;
	int jobs;
};

static int limit;

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->jobs++; // RACE!
}

static int demo_probe(struct mhi_device *mhi_dev, const struct mhi_device_id *id)
{
	struct demo *demo = devm_kzalloc(&mhi_dev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&mhi_dev->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct mhi_device *mhi_dev)
{
	struct demo *demo = dev_get_drvdata(&mhi_dev->dev); // NORACE

	demo->jobs = 0; // RACE!
}

static struct mhi_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return mhi_driver_register(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	mhi_driver_unregister(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
