/* The data of a USB serial port is made in port_probe and freed in port_remove: all that takes the port's mutex comes between. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct port_data {
	int lines;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct port_data *data = kzalloc(sizeof(*data), GFP_KERNEL);

	if (!data)
		return -ENOMEM;
	usb_set_serial_port_data(port, data); // NORACE
	data->lines = 1; // NORACE
	return 0;
}

static void demo_port_remove(struct usb_serial_port *port)
{
	struct port_data *data = usb_get_serial_port_data(port); // NORACE

	kfree(data); // NORACE
}

static int demo_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	struct port_data *data = usb_get_serial_port_data(port); // NORACE

	return data->lines; // NORACE
}

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	struct usb_serial_port *port = tty->driver_data;
	struct port_data *data = usb_get_serial_port_data(port); // NORACE

	data->lines = (data->lines | set) & ~clear; // NORACE
	return 0;
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.port_remove = demo_port_remove,
	.tiocmget = demo_tiocmget,
	.tiocmset = demo_tiocmset,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
