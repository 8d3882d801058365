/* One ioctl frees the line, another one requests it again meanwhile. */
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

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	free_irq(7, &demo);
	demo.limit = 3; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return request_irq(7, demo_interrupt, 0, "demo", &demo);
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
