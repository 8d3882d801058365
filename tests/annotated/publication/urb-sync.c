/* The completion of a URB is over when the teardown goes on. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	struct urb *urb;
	int limit;
};

static void demo_complete(struct urb *urb)
{
	struct demo *demo = urb->context;

	if (READ_ONCE(demo->limit)) // RACE: the context may be null, and so may the data of the device
		return;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!demo->urb)
		return -ENOMEM;
	demo->urb->context = demo;
	demo->urb->complete = demo_complete;
	if (usb_submit_urb(demo->urb, GFP_KERNEL))
		return -EIO;
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	usb_kill_urb(demo->urb);
	demo->limit = 0; // RACE: the context may be null, and so may the data of the device
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
