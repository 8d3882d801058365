/* An ACPI driver is told of events only while it is bound; what it has for a device ends when it is unbound. */
// verdict: race-free
// assume: bound-callbacks
#include <linux/module.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

struct acpi_device {
	struct device dev;
};
struct acpi_device_ops {
	int (*add)(struct acpi_device *device);
	int (*remove)(struct acpi_device *device);
	void (*notify)(struct acpi_device *device, u32 event);
};
struct acpi_driver {
	const char *name;
	struct acpi_device_ops ops;
};
int acpi_bus_register_driver(struct acpi_driver *driver);
void acpi_bus_unregister_driver(struct acpi_driver *driver);
int devm_device_add_group(struct device *dev, const struct attribute_group *group);

struct demo {
	struct mutex lock;
	int limit;
	u32 last;
};

static DEFINE_MUTEX(lock);
static int bound;

static ssize_t limit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // NORACE

	return demo->limit; // NORACE
}
static DEVICE_ATTR_RO(limit);
static struct attribute *demo_attributes[] = { &dev_attr_limit.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attributes };

static void demo_notify(struct acpi_device *device, u32 event)
{
	struct demo *demo = device->dev.driver_data; // NORACE

	mutex_lock(&demo->lock);
	demo->last = event; // NORACE
	mutex_unlock(&demo->lock);
}

static int demo_add(struct acpi_device *device)
{
	struct demo *demo = devm_kzalloc(&device->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->limit = 1; // NORACE
	device->dev.driver_data = demo; // NORACE
	mutex_lock(&lock);
	bound++; // NORACE
	mutex_unlock(&lock);
	return devm_device_add_group(&device->dev, &demo_group);
}

static int demo_remove(struct acpi_device *device)
{
	struct demo *demo = device->dev.driver_data; // NORACE

	demo->last = 0; // NORACE
	mutex_lock(&lock);
	bound--; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static struct acpi_driver demo_driver = {
	.name = "demo",
	.ops = {
		.add = demo_add,
		.remove = demo_remove,
		.notify = demo_notify,
	},
};

static int __init demo_init(void)
{
	bound = 0; // NORACE
	return acpi_bus_register_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	acpi_bus_unregister_driver(&demo_driver);
	bound = -1; // NORACE
}
module_exit(demo_exit);
