/* Memory that ends with a driver of memory sticks: its work is cancelled before. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/memstick.h>

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

static int demo_probe(struct memstick_dev *card)
{
	struct demo *demo = devm_kzalloc(&card->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&card->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct memstick_dev *card)
{
	struct demo *demo = dev_get_drvdata(&card->dev); // NORACE

	cancel_work_sync(&demo->work);
}

static int demo_suspend(struct memstick_dev *card, pm_message_t state)
{
	struct demo *demo = dev_get_drvdata(&card->dev); // NORACE

	cancel_work_sync(&demo->work);
	return 0;
}

static struct memstick_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .suspend = demo_suspend };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return memstick_register_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	memstick_unregister_driver(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
