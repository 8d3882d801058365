/* An interface is not suspended while its driver is bound or unbound. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	int state;
};

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_intfdata(intf, demo);
	demo->state = 1; // NORACE
	return 0;
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf); // NORACE

	kfree(demo); // NORACE
}

static int demo_suspend(struct usb_interface *intf, int message)
{
	struct demo *demo = usb_get_intfdata(intf); // NORACE

	return demo->state; // NORACE
}

static struct usb_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.disconnect = demo_disconnect,
	.suspend = demo_suspend,
};
module_usb_driver(demo_driver);
