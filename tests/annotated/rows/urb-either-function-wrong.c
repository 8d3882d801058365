/* An URB that is filled with one of two functions while it may complete in the other. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	struct usb_device *dev;
	struct urb *in, *out;
	int seen;
};

static void demo_in(struct urb *urb)
{
	struct demo *demo = urb->context;

	if (urb->transfer_flags) // RACE!
		WRITE_ONCE(demo->seen, 1);
}

static void demo_out(struct urb *urb)
{
	WRITE_ONCE(urb->transfer_flags, 1); // RACE!
}

static struct urb *demo_urb(struct demo *demo, usb_complete_t complete)
{
	struct urb *urb = usb_alloc_urb(0, GFP_KERNEL);

	if (urb)
		usb_fill_int_urb(urb, demo->dev, 0, NULL, 0, complete, demo);
	return urb;
}

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct urb *in, *out;

	if (!demo)
		return -ENOMEM;
	demo->in = in = demo_urb(demo, demo_in);
	demo->out = out = demo_urb(demo, demo_out);
	if (!in || !out)
		return -ENOMEM;
	usb_set_intfdata(intf, demo); // NORACE
	usb_submit_urb(out, GFP_KERNEL); // RACE: which of the two is resumed is not known
	return usb_submit_urb(in, GFP_KERNEL); // RACE: the same
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);

	usb_kill_urb(demo->in);
	usb_kill_urb(demo->out);
}

static int demo_resume(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf); // NORACE

	demo->in->complete = demo->in->status ? demo_in : demo_out; // RACE: probe may submit it meanwhile
	return usb_submit_urb(demo->in, GFP_KERNEL); // RACE!
}

static struct usb_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.disconnect = demo_disconnect,
	.resume = demo_resume,
};
module_usb_driver(demo_driver);
