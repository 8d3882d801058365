/* A text of the kernel that is copied is nothing of the driver, and does not change meanwhile. */
// verdict: race-free
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/string.h>

struct demo {
	struct device *dev;
	spinlock_t lock;
	unsigned int duplex;
	char label[16];
};

static ssize_t name_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);

	return strscpy(buf, demo->dev->kobj.name, 16); // NORACE
}
static DEVICE_ATTR_RO(name);

static irqreturn_t demo_interrupt(int irq, void *data)
{
	struct demo *demo = data;

	spin_lock(&demo->lock);
	demo->duplex++; // NORACE
	demo->label[0] = 'x'; // NORACE
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	demo->dev = &pdev->dev;
	spin_lock_init(&demo->lock);
	platform_set_drvdata(pdev, demo);
	err = devm_request_irq(&pdev->dev, 5, demo_interrupt, 0, "demo", demo);
	if (err)
		return err;
	return device_create_file(&pdev->dev, &dev_attr_name);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_name);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
