/* Memory that ends with a driver of VMBus devices, while its work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/hyperv.h>

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

static int demo_probe(struct hv_device *hdev, const struct hv_vmbus_device_id *id)
{
	struct demo *demo = devm_kzalloc(&hdev->device, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&hdev->device, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static int demo_remove(struct hv_device *hdev)
{
	struct demo *demo = dev_get_drvdata(&hdev->device); // NORACE

	demo->jobs = 0; // RACE!
	return 0;
}

static void demo_shutdown(struct hv_device *hdev)
{
	struct demo *demo = dev_get_drvdata(&hdev->device); // NORACE

	cancel_work_sync(&demo->work);
}

static struct hv_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .shutdown = demo_shutdown };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return vmbus_driver_register(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	vmbus_driver_unregister(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
