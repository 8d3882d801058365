/* The interrupt handler gets the object; the file operations find it through a global. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	int events;
};

static struct demo *common;

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	spin_lock(&demo->lock);
	demo->events++; // NORACE
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags;

	spin_lock_irqsave(&common->lock, flags);
	common->events = 0; // NORACE
	spin_unlock_irqrestore(&common->lock, flags);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	common = demo;
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
