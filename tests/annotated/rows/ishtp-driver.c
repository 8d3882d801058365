/* Memory that ends with a driver of ISHTP clients: its work is cancelled before. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/intel-ish-client-if.h>

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

static int demo_probe(struct ishtp_cl_device *cldev)
{
	struct demo *demo = devm_kzalloc(ishtp_device(cldev), sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(ishtp_device(cldev), demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct ishtp_cl_device *cldev)
{
	struct demo *demo = dev_get_drvdata(ishtp_device(cldev)); // NORACE

	cancel_work_sync(&demo->work);
}

static struct ishtp_cl_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return ishtp_cl_driver_register(&demo_driver, THIS_MODULE);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	ishtp_cl_driver_unregister(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
