/* Drivers of two buses: their memory ends with them, and a work may still run. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo { struct work_struct work; int count; };

static void demo_work(struct work_struct *work) // RACE: the work itself ends, too
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->count++; // RACE!
}
static int demo_begin(struct device *dev)
{
	struct demo *demo = devm_kzalloc(dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work); // NORACE
	dev_set_drvdata(dev, demo); // NORACE
	schedule_work(&demo->work);
	return 0;
}
static void demo_end(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	(void)demo;
}

struct rpmsg_device { struct device dev; };
struct rpmsg_driver { struct device_driver drv; int (*probe)(struct rpmsg_device *dev); void (*remove)(struct rpmsg_device *dev); };
int __register_rpmsg_driver(struct rpmsg_driver *driver, struct module *owner);
void unregister_rpmsg_driver(struct rpmsg_driver *driver);
static int demo_rpmsg_probe(struct rpmsg_device *dev) { return demo_begin(&dev->dev); }
static void demo_rpmsg_remove(struct rpmsg_device *dev) { demo_end(&dev->dev); }
static struct rpmsg_driver demo_rpmsg = { .probe = demo_rpmsg_probe, .remove = demo_rpmsg_remove };

struct mipi_dsi_device { struct device dev; };
struct mipi_dsi_driver { struct device_driver driver; int (*probe)(struct mipi_dsi_device *dsi); void (*remove)(struct mipi_dsi_device *dsi); };
int mipi_dsi_driver_register_full(struct mipi_dsi_driver *driver, struct module *owner);
void mipi_dsi_driver_unregister(struct mipi_dsi_driver *driver);
static int demo_dsi_probe(struct mipi_dsi_device *dsi) { return demo_begin(&dsi->dev); }
static void demo_dsi_remove(struct mipi_dsi_device *dsi) { demo_end(&dsi->dev); }
static struct mipi_dsi_driver demo_dsi = { .probe = demo_dsi_probe, .remove = demo_dsi_remove };

static int __init demo_init(void)
{
	int err = __register_rpmsg_driver(&demo_rpmsg, THIS_MODULE);

	if (err)
		return err;
	err = mipi_dsi_driver_register_full(&demo_dsi, THIS_MODULE);
	if (err)
		unregister_rpmsg_driver(&demo_rpmsg);
	return err;
}
module_init(demo_init);
static void __exit demo_exit(void)
{
	mipi_dsi_driver_unregister(&demo_dsi);
	unregister_rpmsg_driver(&demo_rpmsg);
}
module_exit(demo_exit);
