/* A USB serial port: its mutex around open, close and set_termios, not around write; its terminal comes after
   port_probe, and has been hung up before port_remove, which keeps out what takes the mutex, but not write. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int control, lines, written;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_port_data(port, demo); // NORACE
	return 0;
}

static void demo_port_remove(struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->lines = 0; // NORACE
	demo->written = 0; // RACE!
}

static int demo_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->control = 1; // NORACE
	demo->written = 0; // RACE!
	return 0;
}

static void demo_close(struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->control = 0; // NORACE
}

static void demo_set_termios(struct tty_struct *tty, struct usb_serial_port *port, const struct ktermios *old)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->control |= old->c_cflag; // NORACE
}

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->lines = (demo->lines | set) & ~clear; // NORACE
	return 0;
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->written += count; // RACE!
	return count;
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.port_remove = demo_port_remove,
	.open = demo_open,
	.close = demo_close,
	.set_termios = demo_set_termios,
	.tiocmset = demo_tiocmset,
	.write = demo_write,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
