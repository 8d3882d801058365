/* Memory that ends with a driver of SDIO functions, while its work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/mmc/sdio_func.h>

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

static int demo_probe(struct sdio_func *func, const struct sdio_device_id *id)
{
	struct demo *demo = devm_kzalloc(&func->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&func->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct sdio_func *func)
{
	struct demo *demo = dev_get_drvdata(&func->dev); // NORACE

	demo->jobs = 0; // RACE!
}

static struct sdio_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return sdio_register_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	sdio_unregister_driver(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
