/* Of many buffers that one function asks for, the last one was asked for after the interrupt. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	int *early[20];
	int *late;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	spin_lock(&demo->lock);
	if (demo->late)
		demo->late[0]++; // RACE!
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int *make(struct device *dev)
{
	return devm_kzalloc(dev, sizeof(int), GFP_KERNEL); // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	demo->early[0] = make(&pdev->dev);
	demo->early[1] = make(&pdev->dev);
	demo->early[2] = make(&pdev->dev);
	demo->early[3] = make(&pdev->dev);
	demo->early[4] = make(&pdev->dev);
	demo->early[5] = make(&pdev->dev);
	demo->early[6] = make(&pdev->dev);
	demo->early[7] = make(&pdev->dev);
	demo->early[8] = make(&pdev->dev);
	demo->early[9] = make(&pdev->dev);
	demo->early[10] = make(&pdev->dev);
	demo->early[11] = make(&pdev->dev);
	demo->early[12] = make(&pdev->dev);
	demo->early[13] = make(&pdev->dev);
	demo->early[14] = make(&pdev->dev);
	demo->early[15] = make(&pdev->dev);
	demo->early[16] = make(&pdev->dev);
	demo->early[17] = make(&pdev->dev);
	if (devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo))
		return -EBUSY;
	spin_lock_irq(&demo->lock);
	demo->late = make(&pdev->dev);
	spin_unlock_irq(&demo->lock);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
