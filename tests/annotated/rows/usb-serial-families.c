/* Two drivers for one kind of chip, which share the function that sets up a port: what the one reaches from its ports, terminals and
   URBs is none of the other's, whatever way it goes. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	struct usb_serial_port *port;
	int count;
};

static DEFINE_MUTEX(small_lock);

static int demo_attach(struct usb_serial *serial)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_data(serial, demo); // NORACE
	return 0;
}

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->port = port;
	usb_set_serial_port_data(port, demo); // NORACE
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE
	struct demo *all = usb_get_serial_data(port->serial); // NORACE

	mutex_lock(&small_lock);
	demo->count = 1; // NORACE
	demo->port->bulk_in_size = 1; // NORACE
	all->count = 2; // NORACE
	mutex_unlock(&small_lock);
}

static int large_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data; // NORACE
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	return demo->port->bulk_in_size + demo->count; // NORACE
}

static void large_read_int_callback(struct urb *urb)
{
	struct usb_serial_port *port = urb->context; // NORACE

	WRITE_ONCE(urb->status, port->bulk_in_size); // NORACE
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.attach = demo_attach,
	.port_probe = demo_port_probe,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.attach = demo_attach,
	.port_probe = demo_port_probe,
	.tiocmget = large_tiocmget,
	.read_int_callback = large_read_int_callback,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_small, &demo_large, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	usb_serial_deregister_drivers(demo_drivers);
}
module_exit(demo_exit);

MODULE_LICENSE("GPL");
