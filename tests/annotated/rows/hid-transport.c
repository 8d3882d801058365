/* A transport: its functions run while the device is known, and its reports end before the device does. */
#include "hid.h"

struct demo { struct hid_device *hid; int irq; u8 report[8]; };

static int demo_parse(struct hid_device *hid)
{
	return hid->phys[0]; // NORACE
}

static int demo_open(struct hid_device *hid)
{
	hid->phys[1] = 'o'; // NORACE
	return 0;
}

static void demo_close(struct hid_device *hid)
{
	hid->phys[1] = 'c'; // NORACE
}

static struct hid_ll_driver demo_ll = { .parse = demo_parse, .open = demo_open, .close = demo_close };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->report[0] = irq; // NORACE
	hid_input_report(demo->hid, 0, demo->report, 8, 1); // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->hid = hid_allocate_device(); // NORACE
	if (IS_ERR(demo->hid))
		goto free_demo;
	demo->hid->ll_driver = &demo_ll; // NORACE
	demo->hid->bus = 3; // NORACE
	demo->hid->phys[1] = 'a'; // NORACE
	demo->irq = platform_get_irq(pdev, 0);
	if (hid_add_device(demo->hid)) // NORACE
		goto destroy;
	if (request_irq(demo->irq, demo_irq, 0, "demo", demo))
		goto destroy;
	platform_set_drvdata(pdev, demo);
	return 0;
destroy:
	hid_destroy_device(demo->hid); // NORACE
free_demo:
	kfree(demo); // NORACE
	return -EIO;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->irq, demo);
	hid_destroy_device(demo->hid); // NORACE
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
