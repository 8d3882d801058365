/* The same as rule06-holder-chain, but the address of the first member on the way is kept, and a pointer that
 * another device has is stored there. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct ring {
	int head;
};

struct demo {
	struct device *dev;
	struct ring *ring;
};

static void **place;
static struct demo *first;

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->ring = kzalloc(sizeof(*demo->ring), GFP_KERNEL);
	if (!demo->ring) {
		kfree(demo);
		return -ENOMEM;
	}
	platform_set_drvdata(pdev, demo); // RACE!
	place = &pdev->dev.driver_data; // RACE!
	first = demo; // RACE!
	return 0;
}

static int demo_suspend(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!
	struct ring *ring = demo->ring; // NORACE

	ring->head++; // RACE!
	return 0;
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!
	struct ring *ring = demo->ring; // NORACE

	ring->head = 0; // RACE!
	return 0;
}

static int demo_idle(struct device *dev)
{
	*place = first; // RACE!
	return 0;
}

static const struct dev_pm_ops demo_pm = {
	.suspend = demo_suspend,
	.resume = demo_resume,
	.runtime_idle = demo_idle,
};

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .pm = &demo_pm },
};
module_platform_driver(demo_driver);
