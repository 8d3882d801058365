/* The line is held off for the read, and the reset comes after it is back. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>

struct demo {
	struct mutex lock;
	int irq, events;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // RACE!
	return IRQ_HANDLED;
}

static ssize_t events_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: nothing orders probe before the callbacks of the attribute
	int events;

	mutex_lock(&demo->lock);
	disable_irq(demo->irq);
	events = demo->events; // NORACE
	enable_irq(demo->irq);
	demo->events = 0; // RACE!
	mutex_unlock(&demo->lock);
	return events;
}
DEVICE_ATTR_RO(events);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->irq = platform_get_irq(pdev, 0); // NORACE
	platform_set_drvdata(pdev, demo); // RACE: as for the attribute
	return devm_request_irq(&pdev->dev, demo->irq, demo_interrupt, 0, "demo", demo);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
