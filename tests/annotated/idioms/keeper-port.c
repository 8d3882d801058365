/* The core's URBs of a port: each member has its own. */
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
	port->read_urbs[0]->context = NULL; // NORACE
	mutex_unlock(&demo_lock);
}

static int demo_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;

	return port->write_urb->context != NULL; // NORACE
}

static void demo_written(struct urb *urb)
{
	if (urb->context) // NORACE
		return;
}

static void demo_sent(struct urb *urb)
{
	if (urb->context) // NORACE
		return;
}

static void demo_interrupted(struct urb *urb)
{
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.throttle = demo_throttle,
	.tiocmget = demo_tiocmget,
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
