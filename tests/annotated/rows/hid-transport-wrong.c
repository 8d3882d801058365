/* A transport whose reports go on while the device ends, and who changes what the core has found out. */
// verdict: potential
#include "hid.h"

struct demo { struct hid_device *hid; int irq, other; u8 report[8]; };

static int demo_parse(struct hid_device *hid)
{
	hid->phys[0]++; // RACE!
	return 0;
}

static int demo_open(struct hid_device *hid)
{
	hid->phys[0] = 'o'; // RACE!
	return 0;
}

static struct hid_ll_driver demo_ll = { .parse = demo_parse, .start = demo_parse, .open = demo_open };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	hid_input_report(demo->hid, 0, demo->report, 8, 1); // RACE!
	demo->hid->quirks = irq; // RACE!
	demo->hid->group = irq; // RACE!
	demo->hid->vendor = irq; // RACE!
	demo->hid->name[0] = irq; // RACE!
	demo->hid->dev_rdesc = NULL; // RACE!
	demo->hid->claimed = irq; // RACE!
	demo->hid->driver = NULL; // RACE!
	return IRQ_HANDLED;
}

static irqreturn_t demo_other(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->report[7] = irq; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->hid = hid_allocate_device();
	if (IS_ERR(demo->hid))
		return -EIO;
	demo->hid->ll_driver = &demo_ll;
	demo->irq = platform_get_irq(pdev, 0);
	demo->other = platform_get_irq(pdev, 1);
	if (request_irq(demo->irq, demo_irq, 0, "demo", demo) || request_irq(demo->other, demo_other, 0, "demo", demo))
		return -EIO;
	platform_set_drvdata(pdev, demo);
	return hid_add_device(demo->hid); // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	hid_destroy_device(demo->hid); // RACE!
	free_irq(demo->irq, demo);
	free_irq(demo->other, demo);
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
