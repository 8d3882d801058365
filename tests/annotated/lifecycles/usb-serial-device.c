/* A USB serial device: attach comes before anybody finds a port of it, release when nobody has a terminal of it any more. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static int device_data;

static int demo_attach(struct usb_serial *serial)
{
	serial->private = &device_data; // NORACE
	return 0;
}

static void demo_release(struct usb_serial *serial)
{
	serial->private = NULL; // NORACE
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	return port->serial->private ? count : 0; // NORACE
}

static int demo_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;

	return port->serial->private != NULL; // NORACE
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.attach = demo_attach,
	.release = demo_release,
	.write = demo_write,
	.tiocmget = demo_tiocmget,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
