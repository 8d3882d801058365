/* Drivers of all buses: the functions may run from the registration to the end of the unregistration. */
// verdict: potential
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/i2c.h>
#include <linux/pnp.h>
#include <linux/usb.h>

int __platform_driver_probe(struct platform_driver *driver, int (*probe)(struct platform_device *pdev),
			    struct module *owner);
int usb_register_driver(struct usb_driver *driver, struct module *owner, const char *name);

struct spi_device {
	struct device dev;
};
struct spi_driver {
	int (*probe)(struct spi_device *spi);
	struct device_driver driver;
};
int __spi_register_driver(struct module *owner, struct spi_driver *driver);

static int by_pci, by_platform, by_late_probe, by_i2c, by_spi, by_pnp, by_usb;

static int pci_probe(struct pci_dev *dev, const struct pci_device_id *id)
{
	return by_pci; // RACE!
}

static int platform_probe(struct platform_device *dev)
{
	return by_platform; // RACE!
}

static int late_probe(struct platform_device *dev)
{
	return by_late_probe; // RACE!
}

static int i2c_probe(struct i2c_client *client)
{
	return by_i2c; // RACE!
}

static int spi_probe(struct spi_device *spi)
{
	return by_spi; // RACE!
}

static int pnp_probe(struct pnp_dev *dev, const struct pnp_device_id *id)
{
	return by_pnp; // RACE!
}

static int usb_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	return by_usb; // RACE!
}

static struct pci_driver pci_driver = { .probe = pci_probe };
static struct platform_driver platform_driver = { .probe = platform_probe };
static struct platform_driver late_driver;
static struct i2c_driver i2c_driver = { .probe_new = i2c_probe };
static struct spi_driver spi_driver = { .probe = spi_probe };
static struct pnp_driver pnp_driver = { .probe = pnp_probe };
static struct usb_driver usb_driver = { .probe = usb_probe };

static int __init demo_init(void)
{
	by_pci = 1; // NORACE
	if (__pci_register_driver(&pci_driver, THIS_MODULE, "demo"))
		return -EBUSY;
	by_pci = 2; // RACE!
	pci_unregister_driver(&pci_driver);
	by_pci = 3; // NORACE

	by_platform = 1; // NORACE
	if (__platform_driver_register(&platform_driver, THIS_MODULE))
		return -EBUSY;
	by_platform = 2; // RACE!
	platform_driver_unregister(&platform_driver);
	by_platform = 3; // NORACE

	by_late_probe = 1; // NORACE
	if (__platform_driver_probe(&late_driver, late_probe, THIS_MODULE))
		return -EBUSY;
	by_late_probe = 2; // RACE!

	by_i2c = 1; // NORACE
	if (i2c_register_driver(THIS_MODULE, &i2c_driver))
		return -EBUSY;
	by_i2c = 2; // RACE!
	i2c_del_driver(&i2c_driver);
	by_i2c = 3; // NORACE

	by_spi = 1; // NORACE
	if (__spi_register_driver(THIS_MODULE, &spi_driver))
		return -EBUSY;
	by_spi = 2; // RACE!

	by_pnp = 1; // NORACE
	if (pnp_register_driver(&pnp_driver))
		return -EBUSY;
	by_pnp = 2; // RACE!
	pnp_unregister_driver(&pnp_driver);
	by_pnp = 3; // NORACE

	by_usb = 1; // NORACE
	if (usb_register_driver(&usb_driver, THIS_MODULE, "demo"))
		return -EBUSY;
	by_usb = 2; // RACE!
	usb_deregister(&usb_driver);
	by_usb = 3; // NORACE
	return 0;
}
module_init(demo_init);
