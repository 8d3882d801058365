/* What the data of a device and of its interface lead to is no driver's alone: two may be bound to interfaces of one device. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int count, sum;
};

static int demo_attach(struct usb_serial *serial)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	dev_set_drvdata(&serial->dev->dev, demo); // RACE!
	usb_set_intfdata(serial->sibling, demo); // RACE!
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	struct demo *demo = dev_get_drvdata(&port->serial->dev->dev); // RACE!
	struct demo *its = usb_get_intfdata(port->serial->sibling); // RACE!

	demo->count = 1; // RACE!
	its->sum = 1; // RACE!
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	struct demo *demo = dev_get_drvdata(&port->serial->dev->dev); // RACE!
	struct demo *its = usb_get_intfdata(port->serial->sibling); // RACE!

	port->minor = demo->count; // RACE!
	port->minor = its->sum; // RACE!
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.attach = demo_attach,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.attach = demo_attach,
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
