/* Memory that ends with a driver of cores on a BCMA bus, while its work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/bcma/bcma.h>

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

static int demo_probe(struct bcma_device *core)
{
	struct demo *demo = devm_kzalloc(&core->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&core->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct bcma_device *core)
{
	struct demo *demo = dev_get_drvdata(&core->dev); // NORACE

	demo->jobs = 0; // RACE!
}

static struct bcma_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return bcma_driver_register(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	bcma_driver_unregister(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
