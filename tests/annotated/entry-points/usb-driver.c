/* probe and disconnect of one interface run under its lock; completions do not. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	int present, packets;
};

static struct urb demo_urb;

static void demo_complete(struct urb *urb)
{
	struct demo *demo = urb->context; // RACE!

	demo->packets++; // RACE!
}

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_intfdata(intf, demo);
	intf->minor = 1; // NORACE
	demo->present = 1; // NORACE
	usb_fill_int_urb(&demo_urb, NULL, 0, NULL, 0, demo_complete, demo); // RACE!
	return usb_submit_urb(&demo_urb, GFP_KERNEL); // RACE!
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);

	intf->minor = 0; // NORACE
	demo->present = 0; // NORACE
	demo->packets = 0; // RACE!
}

static struct usb_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.disconnect = demo_disconnect,
};
module_usb_driver(demo_driver);
