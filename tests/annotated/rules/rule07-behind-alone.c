/* The first bytes behind a pointer to a struct of which each object is an allocation of its own are bytes of that struct, and
   of no other. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct data {
	int lines;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct data *data = kzalloc(sizeof(*data), GFP_KERNEL);

	if (!data)
		return -ENOMEM;
	usb_set_serial_port_data(port, data); // NORACE
	return 0;
}

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	struct usb_serial_port *port = tty->driver_data;
	struct data *data = usb_get_serial_port_data(port); // NORACE

	data->lines = set; // NORACE
	return 0;
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	struct usb_device *dev = port->serial->dev; // NORACE

	return dev->devnum ? count : 0; // RACE!
}

static void demo_throttle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;

	port->serial->dev->devnum = 1; // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.tiocmset = demo_tiocmset,
	.write = demo_write,
	.throttle = demo_throttle,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
