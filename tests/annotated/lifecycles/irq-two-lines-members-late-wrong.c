/* One line is requested by probe and the other one by open, with one dev_id: their handlers run side by side. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>

struct demo {
	struct miscdevice misc;
	int rx, tx;
	int events;
};

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->events++; // RACE!
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	return request_irq(demo->tx, demo_interrupt, IRQF_SHARED, "demo-tx", demo); // RACE: what private_data leads to is not known to be registered last
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	demo->rx = platform_get_irq(pdev, 0);
	demo->tx = platform_get_irq(pdev, 1); // RACE: as above
	demo->misc.minor = MISC_DYNAMIC_MINOR;
	demo->misc.name = "demo";
	demo->misc.fops = &demo_fops;
	if (request_irq(demo->rx, demo_interrupt, IRQF_SHARED, "demo-rx", demo))
		return -EBUSY;
	return misc_register(&demo->misc);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
