/* Both drivers have data that is one: a variable's, and what one of them puts in a device of which nobody knows the driver. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int count, sum;
};

static struct demo shared;
static struct usb_serial *other;

static int demo_port_probe(struct usb_serial_port *port)
{
	usb_set_serial_port_data(port, &shared);
	return 0;
}

static int small_attach(struct usb_serial *serial)
{
	xchg(&other, serial);
	return 0;
}

static int large_attach(struct usb_serial *serial)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct usb_serial *its = READ_ONCE(other);

	if (!demo)
		return -ENOMEM;
	WRITE_ONCE(serial->private, demo);
	if (its)
		WRITE_ONCE(its->private, demo);
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port);
	struct demo *all = READ_ONCE(port->serial->private);

	demo->count = 1; // RACE!
	all->sum = 1; // RACE!
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	struct demo *demo = usb_get_serial_port_data(port);
	struct demo *all = READ_ONCE(port->serial->private);

	port->minor = demo->count; // RACE!
	port->minor = all->sum; // RACE!
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.attach = small_attach,
	.port_probe = demo_port_probe,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.attach = large_attach,
	.port_probe = demo_port_probe,
	.dtr_rts = large_dtr_rts,
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
