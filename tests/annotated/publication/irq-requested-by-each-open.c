/* Every open requests the line for the same device: the second open runs beside the handler of
 * the first.
 */
// verdict: potential
// assume: registered-once
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>

struct demo {
	int limit;
};

static struct demo demo;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	struct demo *demo = dev_id;

	demo->limit--; // RACE!
	return IRQ_HANDLED;
}

static int demo_open(struct inode *inode, struct file *file)
{
	demo.limit = 3; // RACE!
	return request_irq(7, demo_interrupt, IRQF_SHARED, "demo", &demo);
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
