/* Who changes the driver_data of a terminal may be called with a terminal and another port than is found there. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int control;
};

static struct usb_serial_port *first;

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_port_data(port, demo); // RACE!
	cmpxchg(&first, NULL, port);
	return 0;
}

static int demo_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	tty->driver_data = READ_ONCE(first); // RACE!
	return 0;
}

static void demo_set_termios(struct tty_struct *tty, struct usb_serial_port *port, const struct ktermios *old)
{
	struct usb_serial_port *its = tty->driver_data; // RACE!
	struct demo *demo = usb_get_serial_port_data(its); // RACE!

	demo->control |= old->c_cflag; // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.open = demo_open,
	.set_termios = demo_set_termios,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
