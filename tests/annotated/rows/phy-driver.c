/* Memory that ends with a driver of PHYs: its work is cancelled before. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/phy.h>

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

static int demo_probe(struct phy_device *phydev)
{
	struct demo *demo = devm_kzalloc(&phydev->mdio.dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->jobs = limit; // NORACE
	INIT_WORK(&demo->work, demo_work);
	dev_set_drvdata(&phydev->mdio.dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}

static void demo_remove(struct phy_device *phydev)
{
	struct demo *demo = dev_get_drvdata(&phydev->mdio.dev); // NORACE

	cancel_work_sync(&demo->work);
}

static struct phy_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	limit = 1; // NORACE
	return phy_driver_register(&demo_driver, THIS_MODULE);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	phy_driver_unregister(&demo_driver);
}
module_exit(demo_exit);
