/* Memory that ends with a driver of SoundWire devices, while its work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/soundwire/sdw.h>

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

static int demo_probe(struct sdw_slave *slave, const struct sdw_device_id *id)
{
	struct demo *demo = devm_kzalloc(&slave->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&slave->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static int demo_remove(struct sdw_slave *slave)
{
	struct demo *demo = dev_get_drvdata(&slave->dev); // NORACE

	demo->jobs = 0; // RACE!
	return 0;
}

static void demo_shutdown(struct sdw_slave *slave)
{
	struct demo *demo = dev_get_drvdata(&slave->dev); // NORACE

	cancel_work_sync(&demo->work);
}

static struct sdw_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .shutdown = demo_shutdown };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return sdw_register_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	sdw_unregister_driver(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
