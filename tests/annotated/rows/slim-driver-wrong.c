/* Memory that ends with a driver of SLIMbus devices, while its work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/slimbus.h>

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

static int demo_probe(struct slim_device *sl)
{
	struct demo *demo = devm_kzalloc(&sl->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&sl->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct slim_device *sl)
{
	struct demo *demo = dev_get_drvdata(&sl->dev); // NORACE

	demo->jobs = 0; // RACE!
}

static struct slim_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return slim_driver_register(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	slim_driver_unregister(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
