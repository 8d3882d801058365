/* Memory that ends with a driver of alternate modes of USB Type-C, while its work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/usb/typec_altmode.h>

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

static int demo_probe(struct typec_altmode *alt)
{
	struct demo *demo = devm_kzalloc(&alt->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&alt->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct typec_altmode *alt)
{
	struct demo *demo = dev_get_drvdata(&alt->dev); // NORACE

	demo->jobs = 0; // RACE!
}

static struct typec_altmode_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return typec_altmode_register_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	typec_altmode_unregister_driver(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
