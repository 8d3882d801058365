/* Memory that ends with a driver of Thunderbolt services: its work is cancelled before. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/thunderbolt.h>

struct demo {
	struct work_struct work;
	int jobs;
};

static int limit;

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->jobs++; // NORACE
}

static int demo_probe(struct tb_service *svc, const struct tb_service_id *id)
{
	struct demo *demo = devm_kzalloc(&svc->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&svc->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct tb_service *svc)
{
	struct demo *demo = dev_get_drvdata(&svc->dev); // NORACE

	cancel_work_sync(&demo->work);
}

static void demo_shutdown(struct tb_service *svc)
{
	struct demo *demo = dev_get_drvdata(&svc->dev); // NORACE

	cancel_work_sync(&demo->work);
}

static struct tb_service_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .shutdown = demo_shutdown };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return tb_register_service_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	tb_unregister_service_driver(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
