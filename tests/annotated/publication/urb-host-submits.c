/* The callback submits what its host keeps: the very URB. */
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

	spin_lock(&demo->lock);
	demo->count++; // NORACE
	spin_unlock(&demo->lock);
	usb_submit_urb(demo->urb, GFP_ATOMIC); // RACE: who submits an URB has it to himself
}

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	demo->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!demo->urb) {
		kfree(demo);
		return -ENOMEM;
	}
	usb_fill_int_urb(demo->urb, NULL, 0, NULL, 0, demo_complete, demo);
	usb_set_intfdata(intf, demo);
	return usb_submit_urb(demo->urb, GFP_KERNEL); // RACE: who submits an URB has it to himself
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);

	usb_kill_urb(demo->urb);
	usb_free_urb(demo->urb);
	kfree(demo); // NORACE
}

static struct usb_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.disconnect = demo_disconnect,
};
module_usb_driver(demo_driver);
MODULE_LICENSE("GPL");
