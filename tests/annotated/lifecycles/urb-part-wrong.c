/* A URB that is a part of the driver's struct does not begin where that begins: its callback is in the same struct. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int lines;
	struct urb urb;
};

static void demo_complete(struct urb *urb)
{
	struct demo *demo = container_of(urb, struct demo, urb);

	demo->lines++; // RACE!
}

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->urb.complete = demo_complete;
	usb_submit_urb(&demo->urb, GFP_KERNEL);
	demo->lines = 1; // RACE!
	return 0;
}

static struct usb_serial_driver demo_device = {
	.driver = { .owner = THIS_MODULE, .name = "demo" },
	.port_probe = demo_port_probe,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
