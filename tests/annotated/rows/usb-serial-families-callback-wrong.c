/* The callback of an URB is put in one of the other driver, whose port it gets then. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static struct urb *other;

static int small_port_probe(struct usb_serial_port *port)
{
	xchg(&other, port->read_urb);
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	port->read_urb->transfer_flags = 1; // RACE!
}

static void large_read_bulk_callback(struct urb *urb)
{
	urb->status = urb->transfer_flags; // RACE!
}

static int large_port_probe(struct usb_serial_port *port)
{
	struct urb *urb = READ_ONCE(other);

	if (urb)
		WRITE_ONCE(urb->complete, READ_ONCE(port->read_urb->complete));
	return 0;
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.port_probe = small_port_probe,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.port_probe = large_port_probe,
	.read_bulk_callback = large_read_bulk_callback,
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
