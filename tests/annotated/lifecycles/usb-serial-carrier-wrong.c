/* Who waits for a carrier on a terminal that was hung up before is not hung up again when the port goes: it lowers the lines beside
   port_remove, where a driver without carrier_raised has nobody left. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct port_data {
	int lines;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct port_data *data = kzalloc(sizeof(*data), GFP_KERNEL);

	if (!data)
		return -ENOMEM;
	usb_set_serial_port_data(port, data);
	return 0;
}

static void demo_port_remove(struct usb_serial_port *port)
{
	kfree(usb_get_serial_port_data(port)); // RACE!
}

static void demo_dtr_rts(struct usb_serial_port *port, int on)
{
	struct port_data *data = usb_get_serial_port_data(port);

	data->lines = on; // RACE!
}

static int demo_carrier_raised(struct usb_serial_port *port)
{
	return 0;
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.port_remove = demo_port_remove,
	.dtr_rts = demo_dtr_rts,
	.carrier_raised = demo_carrier_raised,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	usb_serial_deregister_drivers(demo_drivers);
}
module_exit(demo_exit);
MODULE_LICENSE("GPL");
