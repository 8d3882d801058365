/* Memory that ends with a driver of serio ports: its work is cancelled before. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/serio.h>

struct demo {
	struct work_struct work;
	int jobs;
};

static int limit;

static void demo_work(struct work_struct *work) // NORACE
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->jobs++; // NORACE
}

static int demo_probe(struct serio *serio, struct serio_driver *driver)
{
	struct demo *demo = devm_kzalloc(&serio->dev, sizeof(*demo), GFP_KERNEL); // NORACE

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&serio->dev, demo); // NORACE
	schedule_work(&demo->work); // NORACE
	return 0;
}

static void demo_remove(struct serio *serio)
{
	struct demo *demo = dev_get_drvdata(&serio->dev); // NORACE

	cancel_work_sync(&demo->work); // NORACE
}

static struct serio_driver demo_driver = { .connect = demo_probe, .disconnect = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return serio_register_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	serio_unregister_driver(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
