/* One interface is suspended while another is bound, and both use the last one's data. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	int state;
};

static struct demo *last;

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	last = demo; // RACE!
	demo->state = 1; // RACE!
	return 0;
}

static void demo_disconnect(struct usb_interface *intf)
{
	usb_set_intfdata(intf, NULL); // NORACE
}

static int demo_suspend(struct usb_interface *intf, int message)
{
	struct demo *demo = last; // RACE!

	return demo ? demo->state : 0; // RACE!
}

static struct usb_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.disconnect = demo_disconnect,
	.suspend = demo_suspend,
};
module_usb_driver(demo_driver);
