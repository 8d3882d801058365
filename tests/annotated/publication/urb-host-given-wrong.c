/* Another module gets the URB, and submits it when it likes. */
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

static DEFINE_MUTEX(m);
static struct urb *the_urb;
struct urb *demo_get_urb(void)
{
	struct urb *u;
	mutex_lock(&m);
	u = the_urb;
	mutex_unlock(&m);
	return u;
}
EXPORT_SYMBOL_GPL(demo_get_urb);

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int i;
	if (!demo)
		return -ENOMEM;
	demo->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!demo->urb)
		return -ENOMEM;
	usb_fill_int_urb(demo->urb, NULL, 0, NULL, 0, demo_complete, demo);
	usb_set_intfdata(intf, demo);
	mutex_lock(&m);
	the_urb = demo->urb;
	mutex_unlock(&m);
	return 0;
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);
	mutex_lock(&m);
	the_urb = NULL;
	mutex_unlock(&m);
	usb_kill_urb(demo->urb);
	kfree(demo); // RACE!
}

static struct usb_driver demo_driver = {
	.name = "demo", .probe = demo_probe, .disconnect = demo_disconnect,
};
module_usb_driver(demo_driver);
MODULE_LICENSE("GPL");
