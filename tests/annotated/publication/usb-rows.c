/* URBs and USB devices: who waits for a completion, and what makes files and objects known. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct usb_anchor {
	int count;
};
struct usb_class_driver {
	char *name;
	const struct file_operations *fops;
};
void usb_poison_urb(struct urb *urb);
void usb_anchor_urb(struct urb *urb, struct usb_anchor *anchor);
struct urb *usb_get_urb(struct urb *urb);
int usb_register_dev(struct usb_interface *intf, struct usb_class_driver *class);
void usb_deregister_dev(struct usb_interface *intf, struct usb_class_driver *class);
int usb_driver_claim_interface(struct usb_driver *driver, struct usb_interface *intf, void *data);

struct demo {
	struct urb kill, poison, unlink;
	int by_kill, by_poison, by_unlink;
	int claimed_early, claimed_late;
	struct usb_anchor anchor;
	int anchored_early, anchored_late;
};

static void kill_complete(struct urb *urb)
{
	struct demo *demo = container_of(urb, struct demo, kill);

	if (READ_ONCE(demo->by_kill)) // RACE!
		return;
}

static void poison_complete(struct urb *urb)
{
	struct demo *demo = container_of(urb, struct demo, poison);

	if (READ_ONCE(demo->by_poison)) // RACE!
		return;
}

static void unlink_complete(struct urb *urb)
{
	struct demo *demo = container_of(urb, struct demo, unlink);

	if (READ_ONCE(demo->by_unlink)) // RACE!
		return;
}

static int by_file;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return by_file; // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read };
static struct usb_class_driver demo_class = { .name = "demo", .fops = &demo_fops };
static struct usb_driver demo_driver;

/* Also called by the core for the interface that was claimed. */
static int demo_suspend(struct usb_interface *intf, int message)
{
	struct demo *demo = usb_get_intfdata(intf);

	return demo->claimed_early + demo->claimed_late; // RACE!
}

static int demo_resume(struct usb_interface *intf)
{
	struct demo *demo = container_of((struct usb_anchor *)usb_get_intfdata(intf), struct demo, anchor);

	return demo->anchored_early + demo->anchored_late; // RACE!
}

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct demo *other = kzalloc(sizeof(*other), GFP_KERNEL);
	struct demo *third = kzalloc(sizeof(*third), GFP_KERNEL);

	if (!demo || !other || !third)
		return -ENOMEM;
	demo->kill.complete = kill_complete;
	demo->poison.complete = poison_complete;
	demo->unlink.complete = unlink_complete;

	demo->by_kill = 1; // NORACE
	usb_submit_urb(&demo->kill, GFP_KERNEL);
	demo->by_kill = 2; // RACE!

	demo->by_poison = 1; // NORACE
	usb_submit_urb(usb_get_urb(&demo->poison), GFP_KERNEL);
	demo->by_poison = 2; // RACE!

	demo->by_unlink = 1; // NORACE
	usb_submit_urb(&demo->unlink, GFP_KERNEL);
	demo->by_unlink = 2; // RACE!

	usb_unlink_urb(&demo->unlink);
	demo->by_unlink = 3; // RACE!
	usb_kill_urb(&demo->kill);
	demo->by_kill = 3; // NORACE
	usb_poison_urb(&demo->poison);
	demo->by_poison = 3; // NORACE

	other->claimed_early = 1; // NORACE
	usb_driver_claim_interface(&demo_driver, intf, other);
	other->claimed_late = 1; // RACE!

	third->anchored_early = 1; // NORACE
	usb_anchor_urb(&third->kill, &third->anchor);
	third->anchored_late = 1; // RACE!

	by_file = 1; // RACE: another device may have its file
	usb_register_dev(intf, &demo_class);
	by_file = 2; // RACE!
	usb_deregister_dev(intf, &demo_class);
	by_file = 3; // RACE!
	return 0;
}

static struct usb_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.suspend = demo_suspend,
	.resume = demo_resume,
};
module_usb_driver(demo_driver);
