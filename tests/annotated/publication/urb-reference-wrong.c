/* Of another URB than its own, a completion has no reference; nor has it one to what it keeps itself. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	struct urb *urb;
	struct urb *other;
	int status;
};

static void demo_complete(struct urb *urb)
{
	struct demo *demo = urb->context;

	demo->status = demo->other->status; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!demo->urb)
		return -ENOMEM;
	demo->other = usb_alloc_urb(0, GFP_KERNEL);
	if (!demo->other)
		return -ENOMEM;
	demo->urb->context = demo;
	demo->urb->complete = demo_complete;
	platform_set_drvdata(pdev, demo);
	return usb_submit_urb(demo->urb, GFP_KERNEL);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	usb_free_urb(demo->urb);
	usb_free_urb(demo->other); // RACE!
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
