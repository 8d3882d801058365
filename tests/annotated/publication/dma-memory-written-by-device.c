/* What the driver finds in DMA memory that it shows to a device is not what was there at first: probe goes on. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/dma-mapping.h>
#include <linux/spinlock.h>

struct mailbox {
	u32 ready;
};

struct demo {
	spinlock_t lock;
	struct mailbox *box;
	dma_addr_t handle;
	int mode;
};

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	spin_lock(&demo->lock);
	demo->mode++; // RACE!
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	struct mailbox *box;

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	box = dma_alloc_coherent(&pdev->dev, sizeof(*box), &demo->handle, GFP_KERNEL);
	if (!box)
		return -ENOMEM;
	if (!READ_ONCE(box->ready))
		return -ENODEV;
	if (devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo))
		return -EBUSY;
	demo->mode = 5; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .owner = THIS_MODULE },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
