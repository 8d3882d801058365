/* Memory that ends with a driver of NTB devices: its work is cancelled before. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/ntb.h>

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

static int demo_probe(struct ntb_client *client, struct ntb_dev *ntb)
{
	struct demo *demo = devm_kzalloc(&ntb->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&ntb->dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct ntb_client *client, struct ntb_dev *ntb)
{
	struct demo *demo = dev_get_drvdata(&ntb->dev); // NORACE

	cancel_work_sync(&demo->work);
}

static struct ntb_client demo_driver = { .ops = { .probe = demo_probe, .remove = demo_remove } };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return ntb_register_client(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	ntb_unregister_client(&demo_driver);
	limit = 0; // NORACE
}
module_exit(demo_exit);
