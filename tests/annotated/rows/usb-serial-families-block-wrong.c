/* A port's device is copied as a block from one of the other driver: with its data, of which nothing is known then. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int count;
};

static struct usb_serial_port *one;

static int small_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_port_data(port, demo); // RACE!
	xchg(&one, port);
	return 0;
}

static int large_port_probe(struct usb_serial_port *port)
{
	struct usb_serial_port *its = READ_ONCE(one);

	if (its)
		memcpy(&port->dev, &its->dev, sizeof(port->dev)); // RACE!
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port);

	demo->count = 1; // RACE!
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	struct demo *demo = usb_get_serial_port_data(port);

	port->minor = demo->count; // RACE!
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.port_probe = small_port_probe,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.port_probe = large_port_probe,
	.dtr_rts = large_dtr_rts,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_small, &demo_large, NULL };

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
