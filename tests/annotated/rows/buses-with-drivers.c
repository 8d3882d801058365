/* Drivers of four buses: probe and remove of one device hold its lock, and what they register otherwise does not. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int bound;
	int jobs;
};

static int all;

static void demo_job(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->jobs++; // NORACE
	all++; // RACE!
}

static int demo_bind(struct device *dev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_job); // NORACE
	demo->bound = 1; // NORACE
	dev_set_drvdata(dev, demo); // NORACE
	schedule_work(&demo->work); // NORACE
	return 0;
}

static void demo_unbind(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // NORACE

	demo->bound = 0; // NORACE
	cancel_work_sync(&demo->work); // NORACE
	kfree(demo); // NORACE
}

struct mcb_device { struct device dev; };
struct mcb_device_id { u16 device; };
struct mcb_driver {
	struct device_driver driver;
	int (*probe)(struct mcb_device *dev, const struct mcb_device_id *id);
	void (*remove)(struct mcb_device *dev);
	void (*shutdown)(struct mcb_device *dev);
};
int __mcb_register_driver(struct mcb_driver *driver, struct module *owner, const char *name);
void mcb_unregister_driver(struct mcb_driver *driver);

static int mcb_probe(struct mcb_device *dev, const struct mcb_device_id *id)
{
	return demo_bind(&dev->dev);
}

static void mcb_remove(struct mcb_device *dev)
{
	demo_unbind(&dev->dev);
}

static struct mcb_driver demo_mcb = { .probe = mcb_probe, .remove = mcb_remove };

struct amba_device { struct device dev; };
struct amba_id { unsigned int id; };
struct amba_driver {
	struct device_driver drv;
	int (*probe)(struct amba_device *dev, const struct amba_id *id);
	void (*remove)(struct amba_device *dev);
	void (*shutdown)(struct amba_device *dev);
};
int amba_driver_register(struct amba_driver *driver);
void amba_driver_unregister(struct amba_driver *driver);

static int amba_probe(struct amba_device *dev, const struct amba_id *id)
{
	return demo_bind(&dev->dev);
}

static void amba_remove(struct amba_device *dev)
{
	demo_unbind(&dev->dev);
}

static struct amba_driver demo_amba = { .probe = amba_probe, .remove = amba_remove };

struct scmi_device { struct device dev; };
struct scmi_driver {
	struct device_driver driver;
	int (*probe)(struct scmi_device *dev);
	void (*remove)(struct scmi_device *dev);
};
int scmi_driver_register(struct scmi_driver *driver, struct module *owner, const char *name);
void scmi_driver_unregister(struct scmi_driver *driver);

static int scmi_probe(struct scmi_device *dev)
{
	return demo_bind(&dev->dev);
}

static void scmi_remove(struct scmi_device *dev)
{
	demo_unbind(&dev->dev);
}

static struct scmi_driver demo_scmi = { .probe = scmi_probe, .remove = scmi_remove };

struct isa_driver {
	int (*probe)(struct device *dev, unsigned int number);
	void (*remove)(struct device *dev, unsigned int number);
	void (*shutdown)(struct device *dev, unsigned int number);
	struct device_driver driver;
};
int isa_register_driver(struct isa_driver *driver, unsigned int count);
void isa_unregister_driver(struct isa_driver *driver);

static int isa_probe(struct device *dev, unsigned int number)
{
	all = 0; // RACE!
	return demo_bind(dev);
}

static void isa_remove(struct device *dev, unsigned int number)
{
	demo_unbind(dev);
}

static struct isa_driver demo_isa = { .probe = isa_probe, .remove = isa_remove };

static int __init demo_init(void)
{
	all = 1; // NORACE
	__mcb_register_driver(&demo_mcb, THIS_MODULE, "demo");
	amba_driver_register(&demo_amba);
	scmi_driver_register(&demo_scmi, THIS_MODULE, "demo");
	return isa_register_driver(&demo_isa, 1);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	isa_unregister_driver(&demo_isa);
	scmi_driver_unregister(&demo_scmi);
	amba_driver_unregister(&demo_amba);
	mcb_unregister_driver(&demo_mcb);
	all = 2; // RACE: it is not known that the works are over with the drivers, whose remove has cancelled them
}
module_exit(demo_exit);
