/* The driver that the tests of the reports speak of: it forgets its lock in two places. */
#include "demo.h"

static void demo_account(struct demo *demo)
{
	demo->count++;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	demo_account(demo);
	mutex_unlock(&demo->lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	demo->events = 0;
	return demo->count;
}

static irqreturn_t demo_interrupt(int irq, void *data)
{
	struct demo *demo = data;

	WRITE_ONCE(demo->events, demo_next(demo));
	return IRQ_HANDLED;
}
