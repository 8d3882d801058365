/* One URB is kept for the ports of both drivers: what it leads to is a port of either, and so is what was copied from there. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	struct usb_serial_port *port;
};

static struct urb *kept;

static int small_port_probe(struct usb_serial_port *port)
{
	struct urb *urb = usb_alloc_urb(0, GFP_KERNEL);

	if (!urb)
		return -ENOMEM;
	urb->context = port;
	xchg(&kept, urb);
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	port->bulk_in_size = 1; // RACE!
	port->bulk_out_size = 1; // RACE!
}

static int large_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct urb *urb = READ_ONCE(kept);
	struct usb_serial_port *its;

	if (!demo)
		return -ENOMEM;
	if (urb) {
		its = READ_ONCE(urb->context);
		port->minor = its->bulk_in_size; // RACE!
		demo->port = its;
	}
	usb_set_serial_port_data(port, demo);
	return 0;
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	struct demo *demo = usb_get_serial_port_data(port);

	if (demo->port)
		demo->port->tx_bytes = demo->port->bulk_out_size; // RACE!
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
