/* Memory that ends with a driver of FireWire units: its work is cancelled before. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/firewire.h>

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

static int demo_probe(struct fw_unit *unit, const struct ieee1394_device_id *id)
{
	struct demo *demo = devm_kzalloc(&unit->device, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&unit->device, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct fw_unit *unit)
{
	struct demo *demo = dev_get_drvdata(&unit->device); // NORACE

	cancel_work_sync(&demo->work);
}

static void demo_update(struct fw_unit *unit)
{
	struct demo *demo = dev_get_drvdata(&unit->device); // NORACE

	cancel_work_sync(&demo->work);
}

static struct fw_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .update = demo_update };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return driver_register(&demo_driver.driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	driver_unregister(&demo_driver.driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
