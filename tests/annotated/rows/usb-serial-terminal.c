/* A terminal and its port go together: open, set_termios and write get both, and dtr_rts finds the one in the other. So
   what is found through the terminal is what belongs to the port, whose mutex and removal keep others out. Two ports
   that are written to without a terminal (by a console) are two. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	spinlock_t lock;
	int control, line;
};

static int total;

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	usb_set_serial_port_data(port, demo); // NORACE
	return 0;
}

static void demo_port_remove(struct usb_serial_port *port)
{
	kfree(usb_get_serial_port_data(port)); // NORACE
}

static int demo_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	struct usb_serial_port *its = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(its); // NORACE

	demo->control = 1; // NORACE
	return 0;
}

static void demo_close(struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->control = 0; // NORACE
}

static void demo_set_termios(struct tty_struct *tty, struct usb_serial_port *port, const struct ktermios *old)
{
	struct usb_serial_port *its = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(its); // NORACE

	demo->control |= old->c_cflag; // NORACE
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	spin_lock(&port->lock); // NORACE
	if (!tty)
		total += count; // RACE!
	spin_unlock(&port->lock); // NORACE
	return count;
}

static void demo_dtr_rts(struct usb_serial_port *port, int on)
{
	struct tty_struct *tty = port->port.tty;
	struct demo *demo;

	if (tty) {
		demo = usb_get_serial_port_data(tty->driver_data); // NORACE
		spin_lock(&demo->lock); // NORACE
		demo->line = on; // NORACE
		spin_unlock(&demo->lock); // NORACE
	}
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.port_remove = demo_port_remove,
	.open = demo_open,
	.close = demo_close,
	.set_termios = demo_set_termios,
	.write = demo_write,
	.dtr_rts = demo_dtr_rts,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
