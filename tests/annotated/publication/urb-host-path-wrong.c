/* The device does not keep the URB on all ways, so killing what it keeps ends nothing there. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	struct urb *urb;
	spinlock_t lock;
	int count;
};

static void demo_complete(struct urb *urb)
{
	struct demo *demo = urb->context;

	spin_lock(&demo->lock); // RACE!
	demo->count++; // RACE!
	spin_unlock(&demo->lock);
}

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct urb *urb = usb_alloc_urb(0, GFP_KERNEL);

	if (!demo || !urb)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	if (id->driver_info) {
		demo->urb = urb;
		usb_fill_int_urb(urb, NULL, 0, NULL, 0, demo_complete, demo);
	} else {
		usb_fill_int_urb(urb, NULL, 0, NULL, 0, demo_complete, demo);
	}
	usb_set_intfdata(intf, demo);
	return usb_submit_urb(urb, GFP_KERNEL);
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);

	usb_kill_urb(demo->urb);
	kfree(demo); // RACE!
}

static struct usb_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.disconnect = demo_disconnect,
};
module_usb_driver(demo_driver);
MODULE_LICENSE("GPL");
