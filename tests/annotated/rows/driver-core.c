/* A bus, a class and an interface of a class, as the driver core calls them. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/usb.h>

struct bus_type {
	const char *name;
	int (*probe)(struct device *dev);
	void (*remove)(struct device *dev);
	void (*shutdown)(struct device *dev);
};
struct class { const char *name; int (*shutdown_pre)(struct device *dev); };
struct class_interface {
	struct list_head node;
	struct class *class;
	int (*add_dev)(struct device *dev, struct class_interface *interface);
	void (*remove_dev)(struct device *dev, struct class_interface *interface);
};
struct wmi_device { struct device dev; };
struct wmi_driver {
	struct device_driver driver;
	int (*probe)(struct wmi_device *wdev, const void *context);
	void (*remove)(struct wmi_device *wdev);
	void (*notify)(struct wmi_device *wdev, void *data);
};
struct auxiliary_device { struct device dev; };
struct auxiliary_driver {
	int (*probe)(struct auxiliary_device *adev, const void *id);
	void (*remove)(struct auxiliary_device *adev);
	void (*shutdown)(struct auxiliary_device *adev);
};
int __wmi_driver_register(struct wmi_driver *driver, struct module *owner);
void wmi_driver_unregister(struct wmi_driver *driver);
int __auxiliary_driver_register(struct auxiliary_driver *driver, struct module *owner, const char *name);
struct usb_device_driver {
	const char *name;
	int (*probe)(struct usb_device *udev);
	void (*disconnect)(struct usb_device *udev);
	int (*suspend)(struct usb_device *udev, int message);
};
int class_interface_register(struct class_interface *interface);
void class_interface_unregister(struct class_interface *interface);
int scsi_register_interface(struct class_interface *interface);

static int events, bound, ready, buses, devices, interfaces, suspended;

static int demo_bus_probe(struct device *dev)
{
	dev->platform_data = NULL; // NORACE
	buses++; // RACE!
	return 0;
}

static void demo_bus_remove(struct device *dev)
{
	dev->platform_data = &buses; // NORACE
}

static void demo_bus_shutdown(struct device *dev)
{
	dev->platform_data = NULL; // NORACE
}
struct bus_type demo_bus = { .probe = demo_bus_probe, .remove = demo_bus_remove, .shutdown = demo_bus_shutdown };

static int demo_shutdown_pre(struct device *dev)
{
	dev->platform_data = &buses; // NORACE
	return 0;
}
struct class demo_class = { .shutdown_pre = demo_shutdown_pre };

static int demo_usb_probe(struct usb_device *udev)
{
	udev->dev.platform_data = NULL; // NORACE
	suspended = 0; // RACE!
	return 0;
}

static void demo_usb_disconnect(struct usb_device *udev)
{
	udev->dev.platform_data = &buses; // NORACE
}

static int demo_usb_suspend(struct usb_device *udev, int message)
{
	return suspended++; // RACE!
}
struct usb_device_driver demo_usb = {
	.probe = demo_usb_probe,
	.disconnect = demo_usb_disconnect,
	.suspend = demo_usb_suspend,
};

static int demo_wmi_probe(struct wmi_device *wdev, const void *context)
{
	wdev->dev.platform_data = NULL; // NORACE
	bound = ready; // RACE!
	events = 0; // RACE!
	return 0;
}

static void demo_wmi_remove(struct wmi_device *wdev)
{
	wdev->dev.platform_data = &buses; // NORACE
}

static void demo_wmi_notify(struct wmi_device *wdev, void *data)
{
	events++; // RACE!
}

static struct wmi_driver demo_wmi = {
	.probe = demo_wmi_probe,
	.remove = demo_wmi_remove,
	.notify = demo_wmi_notify,
};

static int demo_aux_probe(struct auxiliary_device *adev, const void *id)
{
	adev->dev.platform_data = NULL; // NORACE
	return buses++; // RACE!
}

static void demo_aux_remove(struct auxiliary_device *adev)
{
	adev->dev.platform_data = &buses; // NORACE
}

static void demo_aux_shutdown(struct auxiliary_device *adev)
{
	adev->dev.platform_data = &buses; // NORACE
}

static struct auxiliary_driver demo_aux = {
	.probe = demo_aux_probe,
	.remove = demo_aux_remove,
	.shutdown = demo_aux_shutdown,
};

/* One after the other for one interface. */
static int demo_add_dev(struct device *dev, struct class_interface *interface)
{
	interface->node.next = NULL; // NORACE
	devices++; // RACE: nothing tells that there is one interface
	return 0;
}

static void demo_remove_dev(struct device *dev, struct class_interface *interface)
{
	interface->node.next = NULL; // NORACE
}

static struct class_interface demo_interface = { .add_dev = demo_add_dev, .remove_dev = demo_remove_dev };

static int other_add_dev(struct device *dev, struct class_interface *interface)
{
	return interfaces++; // RACE!
}

static struct class_interface other_interface = { .add_dev = other_add_dev };
static struct class_interface scsi_interface = { .add_dev = other_add_dev };

static int __init demo_init(void)
{
	ready = 1; // NORACE
	__wmi_driver_register(&demo_wmi, THIS_MODULE);
	__auxiliary_driver_register(&demo_aux, THIS_MODULE, "demo");
	other_interface.class = &demo_class;
	class_interface_register(&other_interface);
	scsi_register_interface(&scsi_interface);
	return class_interface_register(&demo_interface); // NORACE
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	class_interface_unregister(&demo_interface); // NORACE
	wmi_driver_unregister(&demo_wmi);
	ready = 0; // NORACE
}
module_exit(demo_exit);
