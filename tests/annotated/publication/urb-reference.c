/* Who frees an URB gives back a reference; while its completion runs, the USB core has another one. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	struct urb *urb;
	int status;
};

static void demo_complete(struct urb *urb)
{
	struct demo *demo = urb->context; // NORACE

	WRITE_ONCE(demo->status, urb->status); // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	demo->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!demo->urb)
		return -ENOMEM;
	demo->urb->context = demo;
	demo->urb->complete = demo_complete;
	err = usb_submit_urb(demo->urb, GFP_KERNEL);
	platform_set_drvdata(pdev, demo);
	return err;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	usb_free_urb(demo->urb); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
