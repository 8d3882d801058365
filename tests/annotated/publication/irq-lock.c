/* The handler and the process context take one lock. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/interrupt.h>

static DEFINE_SPINLOCK(lock);
static int events;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	spin_lock(&lock);
	events++; // NORACE
	spin_unlock(&lock);
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	events = 0; // NORACE
	spin_unlock_irqrestore(&lock, flags);
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	return request_irq(7, demo_interrupt, 0, "demo", &events);
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
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
