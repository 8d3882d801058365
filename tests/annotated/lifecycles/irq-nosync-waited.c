/* disable_irq_nosync holds the handler off, and synchronize_irq waits for one that runs. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#define DEMO_IRQ 7

static DEFINE_MUTEX(mutex);
static int events;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	events++; // RACE: that no handler starts between the two is not followed
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&mutex);
	disable_irq_nosync(DEMO_IRQ);
	synchronize_irq(DEMO_IRQ);
	events = 0; // RACE: as above
	enable_irq(DEMO_IRQ);
	mutex_unlock(&mutex);
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
	if (request_irq(DEMO_IRQ, demo_interrupt, 0, "demo", &demo_misc))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
