/* Events come side by side, and for one device while another is added; a file that others have open does not end with the driver. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

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

struct demo {
	struct mutex lock;
	int limit;
	u32 last;
};

static DEFINE_MUTEX(lock);
static int bound;

static struct demo *only;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return only->limit; // RACE!
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };

static void demo_notify(struct acpi_device *device, u32 event)
{
	struct demo *demo = device->dev.driver_data; // NORACE

	demo->last = event; // RACE!
	bound += event; // RACE!
}

static int demo_add(struct acpi_device *device)
{
	struct demo *demo = devm_kzalloc(&device->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->limit = 1; // NORACE
	device->dev.driver_data = demo; // NORACE
	mutex_lock(&lock);
	bound++; // RACE!
	mutex_unlock(&lock);
	only = demo; // RACE!
	return misc_register(&demo_misc);
}

static int demo_remove(struct acpi_device *device)
{
	struct demo *demo = device->dev.driver_data; // NORACE

	demo->last = 0; // NORACE
	misc_deregister(&demo_misc);
	mutex_lock(&lock);
	bound--; // RACE!
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
	int err = acpi_bus_register_driver(&demo_driver);

	bound = 0; // RACE!
	return err;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	acpi_bus_unregister_driver(&demo_driver);
}
module_exit(demo_exit);
