/* URBs that the module makes for the ports of two drivers, with one callback: each leads to a port of its own driver. The callback
   stores what it has from its URB, which does not bring ports of the one driver to the other. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	struct usb_serial_port *port;
	struct urb *urb;
};

static DEFINE_MUTEX(small_lock);
static DEFINE_MUTEX(large_lock);

static void demo_callback(struct urb *urb)
{
	struct demo *demo = urb->context;

	WRITE_ONCE(demo->port, READ_ONCE(demo->port));
}

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!demo->urb) {
		kfree(demo);
		return -ENOMEM;
	}
	WRITE_ONCE(demo->port, port);
	usb_fill_int_urb(demo->urb, port->serial->dev, 0, NULL, 0, demo_callback, demo);
	usb_set_serial_port_data(port, demo);
	return 0;
}

static void small_close(struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port);

	mutex_lock(&small_lock);
	READ_ONCE(demo->port)->bulk_in_size = 1; // NORACE
	mutex_unlock(&small_lock);
}

static void large_dtr_rts(struct usb_serial_port *port, int on)
{
	struct demo *demo = usb_get_serial_port_data(port);

	mutex_lock(&large_lock);
	if (READ_ONCE(demo->port)->bulk_in_size) // NORACE
		usb_submit_urb(demo->urb, GFP_KERNEL);
	mutex_unlock(&large_lock);
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
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
