/* What the handlers use is set before the line is requested; another function has it off later. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>

#define DEMO_IRQ 7

static DEFINE_MUTEX(lock);
static int wakes, events;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	events++; // NORACE
	return IRQ_WAKE_THREAD;
}

static irqreturn_t demo_thread(int irq, void *dev_id)
{
	wakes++; // NORACE
	return IRQ_HANDLED;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	disable_irq(DEMO_IRQ);
	events = 0; // NORACE
	wakes = 0; // NORACE
	enable_irq(DEMO_IRQ);
	mutex_unlock(&lock);
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
	events = 1; // NORACE
	wakes = 1; // NORACE
	if (request_threaded_irq(DEMO_IRQ, demo_interrupt, demo_thread, 0, "demo", &demo_misc))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
