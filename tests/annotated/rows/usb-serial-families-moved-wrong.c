/* A port is given to the device of another driver, which then gets it in its functions. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static struct usb_serial *other;

static int large_attach(struct usb_serial *serial)
{
	xchg(&other, serial);
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	port->bulk_in_size = 1; // RACE!
	WRITE_ONCE(port->serial, READ_ONCE(other));
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	port->minor = port->bulk_in_size; // RACE!
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.attach = large_attach,
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
