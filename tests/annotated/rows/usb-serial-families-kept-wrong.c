/* A port of the one driver is kept where functions of the other find it: in a variable, in a list, behind an object that both know. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	struct list_head node;
	struct usb_serial_port *port;
};

static struct usb_serial_port *kept;
static struct demo *known;
static LIST_HEAD(list);
static DEFINE_MUTEX(lock);

static int small_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->port = port;
	mutex_lock(&lock);
	kept = port;
	known = demo;
	list_add(&demo->node, &list);
	mutex_unlock(&lock);
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	port->bulk_in_size = 1; // RACE!
	port->bulk_out_size = 1; // RACE!
	port->tx_bytes = 1; // RACE!
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	struct demo *demo;

	mutex_lock(&lock);
	if (kept)
		port->minor = kept->bulk_in_size; // RACE!
	if (known)
		port->minor = known->port->bulk_out_size; // RACE!
	list_for_each_entry(demo, &list, node)
		port->minor = demo->port->tx_bytes; // RACE!
	mutex_unlock(&lock);
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.port_probe = small_port_probe,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
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
