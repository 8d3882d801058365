/* Whoever calls an exported function may have a port of either driver. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static void small_close(struct usb_serial_port *port)
{
	port->bulk_in_size = 1; // RACE!
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	port->minor = 1; // RACE!
}

int demo_ask(struct usb_serial_port *port)
{
	return port->bulk_in_size + port->minor; // RACE!
}
EXPORT_SYMBOL_GPL(demo_ask);

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
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
