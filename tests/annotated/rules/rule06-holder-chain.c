/* The lock of the device guards what is reached from it, over members that each hold their own object. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct ring {
	int head;
	int shown;
};

struct demo {
	struct device *dev;
	struct ring *ring;
};

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
	return 0;
}

static int demo_suspend(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);

	demo->ring->head++; // NORACE
	return demo->ring->shown; // RACE!
}

static int demo_resume(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);

	demo->ring->head = 0; // NORACE
	return 0;
}

/* Nobody holds the lock of the device here. */
static int demo_idle(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!

	demo->ring->shown = 1; // RACE!
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
