/* Drivers of four buses: their memory ends with them, once a work is over. */
#include <linux/module.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo { struct work_struct work; int count; };

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->count++; // NORACE
}
static int demo_begin(struct device *dev)
{
	struct demo *demo = devm_kzalloc(dev, sizeof(*demo), GFP_KERNEL); // NORACE

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

	cancel_work_sync(&demo->work);
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

struct rmi_function { struct device dev; };
struct rmi_function_handler { struct device_driver driver; u8 func; int (*probe)(struct rmi_function *fn); void (*remove)(struct rmi_function *fn); };
int __rmi_register_function_handler(struct rmi_function_handler *handler, struct module *owner, const char *name);
void rmi_unregister_function_handler(struct rmi_function_handler *handler);
static int demo_rmi_probe(struct rmi_function *fn) { return demo_begin(&fn->dev); }
static void demo_rmi_remove(struct rmi_function *fn) { demo_end(&fn->dev); }
static struct rmi_function_handler demo_rmi = { .probe = demo_rmi_probe, .remove = demo_rmi_remove };

struct fsl_mc_device { struct device dev; };
struct fsl_mc_driver { struct device_driver driver; int (*probe)(struct fsl_mc_device *dev); int (*remove)(struct fsl_mc_device *dev); void (*shutdown)(struct fsl_mc_device *dev); };
int __fsl_mc_driver_register(struct fsl_mc_driver *driver, struct module *owner);
void fsl_mc_driver_unregister(struct fsl_mc_driver *driver);
static int demo_mc_probe(struct fsl_mc_device *dev) { return demo_begin(&dev->dev); }
static int demo_mc_remove(struct fsl_mc_device *dev) { demo_end(&dev->dev); return 0; }
static void demo_mc_shutdown(struct fsl_mc_device *dev) { dev_set_drvdata(&dev->dev, NULL); }
static struct fsl_mc_driver demo_mc = { .probe = demo_mc_probe, .remove = demo_mc_remove, .shutdown = demo_mc_shutdown };

static int __init demo_init(void)
{
	int err = __register_rpmsg_driver(&demo_rpmsg, THIS_MODULE);

	if (err)
		return err;
	err = mipi_dsi_driver_register_full(&demo_dsi, THIS_MODULE);
	if (err)
		unregister_rpmsg_driver(&demo_rpmsg);
	else if (!__rmi_register_function_handler(&demo_rmi, THIS_MODULE, "demo"))
		__fsl_mc_driver_register(&demo_mc, THIS_MODULE);
	return err;
}
module_init(demo_init);
static void __exit demo_exit(void)
{
	fsl_mc_driver_unregister(&demo_mc);
	rmi_unregister_function_handler(&demo_rmi);
	mipi_dsi_driver_unregister(&demo_dsi);
	unregister_rpmsg_driver(&demo_rpmsg);
}
module_exit(demo_exit);
