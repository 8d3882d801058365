/* What buses call with a device: under its lock, which says nothing of another device; or without it. */
// verdict: potential
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/pnp.h>

static int pci_all, spi_all, hid_all, acpi_all, pm_all;

static int pci_probe(struct pci_dev *dev, const struct pci_device_id *id)
{
	dev->irq = 1; // NORACE
	dev->device = 1; // RACE!
	pci_all++; // RACE!
	return 0;
}

static void pci_remove(struct pci_dev *dev)
{
	dev->irq = 2; // NORACE
}

static void pci_shutdown(struct pci_dev *dev)
{
	dev->irq = 3; // NORACE
}

static int pci_suspend(struct pci_dev *dev, int state)
{
	dev->irq = 4; // NORACE
	return 0;
}

struct pci_error_handlers {
	int (*error_detected)(struct pci_dev *dev, int state);
	int (*slot_reset)(struct pci_dev *dev);
};

/* A guest of Xen is told without the device's lock. */
static int pci_error(struct pci_dev *dev, int state)
{
	dev->device = 2; // RACE!
	return 0;
}

static struct pci_error_handlers error_handlers = { .error_detected = pci_error };

static struct pci_driver pci_driver = {
	.probe = pci_probe,
	.remove = pci_remove,
	.shutdown = pci_shutdown,
	.suspend = pci_suspend,
};

struct spi_device {
	int mode;
	struct device dev;
};
struct spi_driver {
	int (*probe)(struct spi_device *spi);
	void (*remove)(struct spi_device *spi);
	void (*shutdown)(struct spi_device *spi);
};
int __spi_register_driver(struct module *owner, struct spi_driver *driver);

static int spi_probe(struct spi_device *spi)
{
	spi->mode = 1; // NORACE
	spi_all++; // RACE!
	return 0;
}

static void spi_remove(struct spi_device *spi)
{
	spi->mode = 2; // NORACE
}

static void spi_shutdown(struct spi_device *spi)
{
	spi->mode = 3; // NORACE
}

static struct spi_driver spi_driver = { .probe = spi_probe, .remove = spi_remove, .shutdown = spi_shutdown };

struct hid_device {
	int version, quirks;
	struct device dev;
};
struct hid_driver {
	int (*probe)(struct hid_device *hid, const void *id);
	void (*remove)(struct hid_device *hid);
	int (*raw_event)(struct hid_device *hid, void *report, u8 *data, int size);
};
int __hid_register_driver(struct hid_driver *driver, struct module *owner, const char *name);

static int hid_probe(struct hid_device *hid, const void *id)
{
	hid->version = 1; // NORACE
	hid->quirks = 1; // RACE!
	hid_all++; // RACE!
	return 0;
}

static void hid_remove(struct hid_device *hid)
{
	hid->version = 2; // NORACE
}

static int hid_raw_event(struct hid_device *hid, void *report, u8 *data, int size)
{
	return hid->quirks; // RACE!
}

static struct hid_driver hid_driver = { .probe = hid_probe, .remove = hid_remove, .raw_event = hid_raw_event };

struct acpi_device {
	int status, flags;
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

static int acpi_add(struct acpi_device *device)
{
	device->status = 1; // NORACE
	device->flags = 1; // NORACE
	acpi_all++; // RACE!
	return 0;
}

static int acpi_remove(struct acpi_device *device)
{
	device->status = 2; // NORACE
	return 0;
}

static void acpi_notify(struct acpi_device *device, u32 event)
{
	device->flags = event; // RACE!
}

static struct acpi_driver acpi_driver = { .ops = { .add = acpi_add, .remove = acpi_remove, .notify = acpi_notify } };

struct thing {
	int n, late;
	struct device dev;
};

static int pm_prepare(struct device *dev)
{
	container_of(dev, struct thing, dev)->n = 1; // NORACE
	container_of(dev, struct thing, dev)->late = 1; // RACE!
	pm_all++; // RACE!
	return 0;
}

static void pm_complete(struct device *dev)
{
	container_of(dev, struct thing, dev)->n = 2; // NORACE
}

static int pm_freeze(struct device *dev)
{
	container_of(dev, struct thing, dev)->n = 3; // NORACE
	return 0;
}

static int pm_restore(struct device *dev)
{
	container_of(dev, struct thing, dev)->n = 4; // NORACE
	return 0;
}

static int pm_runtime_suspend(struct device *dev)
{
	container_of(dev, struct thing, dev)->late = 2; // RACE!
	return 0;
}

static const struct dev_pm_ops pm_ops = {
	.prepare = pm_prepare,
	.complete = pm_complete,
	.freeze = pm_freeze,
	.restore = pm_restore,
	.runtime_suspend = pm_runtime_suspend,
};

static struct pnp_driver pnp_driver = { .driver = { .pm = &pm_ops } };

static int __init demo_init(void)
{
	return pci_register_driver(&pci_driver) | __spi_register_driver(THIS_MODULE, &spi_driver) |
	       __hid_register_driver(&hid_driver, THIS_MODULE, "demo") | acpi_bus_register_driver(&acpi_driver) |
	       pnp_register_driver(&pnp_driver) | (error_handlers.slot_reset != NULL);
}
module_init(demo_init);
