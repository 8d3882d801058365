/* Memory that ends with a driver of I3C devices, while its work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/i3c/device.h>

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

static int demo_probe(struct i3c_device *i3cdev)
{
	struct demo *demo = devm_kzalloc(i3cdev_to_dev(i3cdev), sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(i3cdev_to_dev(i3cdev), demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct i3c_device *i3cdev)
{
	struct demo *demo = dev_get_drvdata(i3cdev_to_dev(i3cdev)); // NORACE

	demo->jobs = 0; // RACE!
}

static struct i3c_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return i3c_driver_register(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	i3c_driver_unregister(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
