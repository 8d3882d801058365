/* tx_empty runs under the mutex of the port, as close does and write does not. */
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static bool demo_tx_empty(struct usb_serial_port *port)
{
	port->bulk_in_size = 0; // NORACE
	return !port->bulk_out_size; // RACE!
}

static void demo_close(struct usb_serial_port *port)
{
	port->bulk_in_size = 1; // NORACE
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	port->bulk_out_size = count; // RACE!
	return count;
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.tx_empty = demo_tx_empty,
	.close = demo_close,
	.write = demo_write,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
