/* A work of the module's gets at ports of both drivers, and what it stores from port to port belongs to either. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/workqueue.h>
#include <linux/usb/serial.h>

struct demo {
	struct usb_serial_port *port;
	int count;
};

static struct usb_serial_port *one, *another;

static void demo_work_function(struct work_struct *work)
{
	struct usb_serial_port *from = READ_ONCE(one), *to = READ_ONCE(another);

	from->bulk_in_size = 1; // RACE!
	WRITE_ONCE(to->dev.driver_data, READ_ONCE(from->dev.driver_data));
}
static DECLARE_WORK(demo_work, demo_work_function);

static int small_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	WRITE_ONCE(port->dev.driver_data, demo);
	xchg(&one, port);
	schedule_work(&demo_work);
	return 0;
}

static int large_port_probe(struct usb_serial_port *port)
{
	xchg(&another, port);
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	struct demo *demo = READ_ONCE(port->dev.driver_data);

	port->bulk_in_size = 1; // RACE!
	demo->count = 1; // RACE!
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	struct demo *demo = READ_ONCE(port->dev.driver_data);

	port->minor = demo->count; // RACE!
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.port_probe = small_port_probe,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.port_probe = large_port_probe,
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
