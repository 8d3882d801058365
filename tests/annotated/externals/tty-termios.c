/* The speed of a terminal: written and read under termios_rwsem, and read without. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/rwsem.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static void demo_set_termios(struct tty_struct *tty, struct usb_serial_port *port, const struct ktermios *old)
{
	tty_encode_baud_rate(tty, 9600, 9600); // RACE!
	tty_termios_copy_hw(&tty->termios, old); // RACE!
	tty->termios.c_lflag = 0; // NORACE
}

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	int speed;

	down_read(&tty->termios_rwsem);
	speed = tty_termios_baud_rate(&tty->termios); // NORACE
	up_read(&tty->termios_rwsem);
	return speed;
}

static void demo_throttle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	struct tty_struct *same = tty_port_tty_get(&port->port); // RACE!

	if (same) {
		tty_termios_baud_rate(&same->termios); // RACE!
		tty_kref_put(same);
	}
	tty_port_tty_hangup(&port->port, true); // RACE!
	usb_serial_handle_dcd_change(port, tty, 0); // RACE!
}

static void demo_unthrottle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;

	port->port.tty = NULL; // RACE!
}

static int demo_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	port->bulk_in_size = 1; // RACE!
	return usb_serial_generic_open(tty, port); // NORACE
}

static void demo_close(struct usb_serial_port *port)
{
	usb_serial_generic_close(port); // RACE!
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	port->write_fifo.in = 0; // RACE!
	spin_lock(&port->lock);
	port->write_fifo.mask = 0; // NORACE
	spin_unlock(&port->lock);
	return port->bulk_in_size; // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.open = demo_open,
	.close = demo_close,
	.write = demo_write,
	.set_termios = demo_set_termios,
	.tiocmset = demo_tiocmset,
	.throttle = demo_throttle,
	.unthrottle = demo_unthrottle,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
