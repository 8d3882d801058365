/* The device does not keep the URB on all ways, so killing what it keeps ends nothing there. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/string.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>
#include <linux/timer.h>
#include <linux/minmax.h>
struct demo { int count; struct urb *urb; struct urb *other; int n; };

static void demo_complete(struct urb *urb)
{
	struct demo *demo = urb->context;
	if (READ_ONCE(demo->count)) // RACE!
		return;
}

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int i;
	if (!demo)
		return -ENOMEM;
	struct urb *u = usb_alloc_urb(0, GFP_KERNEL);
	if (!u)
		return -ENOMEM;
	if (id->driver_info) { demo->urb = u; usb_fill_int_urb(u, NULL, 0, NULL, 0, demo_complete, demo); }
	else { usb_fill_int_urb(u, NULL, 0, NULL, 0, demo_complete, demo); }
	usb_submit_urb(u, GFP_KERNEL);
	usb_set_intfdata(intf, demo);
	return 0;
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);
	usb_kill_urb(demo->urb);
	kfree(demo); // RACE!
}

static struct usb_driver demo_driver = {
	.name = "demo", .probe = demo_probe, .disconnect = demo_disconnect,
};
module_usb_driver(demo_driver);
MODULE_LICENSE("GPL");
