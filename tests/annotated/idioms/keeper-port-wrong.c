/* The core keeps the first URB for reading in two members. A callback's URB is what its member leads to. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static DEFINE_MUTEX(demo_lock);

static int demo_port_probe(struct usb_serial_port *port)
{
	return 0;
}

static void demo_throttle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;

	mutex_lock(&demo_lock);
	port->read_urbs[0]->context = NULL; // RACE!
	mutex_unlock(&demo_lock);
}

static int demo_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;

	return port->read_urb->context != NULL; // RACE!
}

static void demo_written(struct urb *urb)
{
	if (urb->context) // NORACE
		return;
}

static void demo_sent(struct urb *urb)
{
	urb->actual_length = 0; // RACE!
}

static bool demo_tx_empty(struct usb_serial_port *port)
{
	return port->interrupt_out_urb->actual_length == 0; // RACE!
}

static void demo_interrupted(struct urb *urb)
{
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.throttle = demo_throttle,
	.tiocmget = demo_tiocmget,
	.tx_empty = demo_tx_empty,
	.write_bulk_callback = demo_written,
	.read_int_callback = demo_interrupted,
	.write_int_callback = demo_sent,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
