/* One writer at a time prepares buffers of a port, and a terminal is set up before others know it. */
// verdict: race-free
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static int demo_prepare_write_buffer(struct usb_serial_port *port, void *buffer, size_t size)
{
	port->icount.tx++; // NORACE
	return 1;
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buffer, int n)
{
	return n;
}

static int demo_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data; // NORACE

	return port->minor; // NORACE
}

static void demo_init_termios(struct tty_struct *tty)
{
	tty->termios.c_cflag = 1; // NORACE
	tty->driver_data = NULL; // NORACE
}

static void demo_set_termios(struct tty_struct *tty, struct usb_serial_port *port, const struct ktermios *old)
{
	tty->termios.c_cflag = 2; // NORACE
}

static int demo_tiocmiwait(struct tty_struct *tty, unsigned long arg)
{
	struct usb_serial_port *port = tty->driver_data; // NORACE

	return port->minor; // NORACE
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.prepare_write_buffer = demo_prepare_write_buffer,
	.write = demo_write,
	.tiocmget = demo_tiocmget,
	.tiocmiwait = demo_tiocmiwait,
	.init_termios = demo_init_termios,
	.set_termios = demo_set_termios,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
