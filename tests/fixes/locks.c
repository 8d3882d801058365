/* Locks of one side that would keep the other one out, too, and such that would not. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	int count;
	int turns;
};

static DEFINE_MUTEX(settings);
static DEFINE_SPINLOCK(ring_lock);
static int setting, events, asleep;
static struct demo *first, *second;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = READ_ONCE(first);
	struct demo *next = READ_ONCE(second);
	unsigned long flags;

	mutex_lock(&settings);
	setting = n;
	asleep = n;
	mutex_unlock(&settings);

	spin_lock_irqsave(&ring_lock, flags);
	events++;
	spin_unlock_irqrestore(&ring_lock, flags);

	spin_lock(&demo->lock);
	demo->count = n;
	/* The lock of another object. */
	next->turns = n;
	spin_unlock(&demo->lock);
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = READ_ONCE(first);

	if (cmd == 1)
		return setting; // FIX settings
	if (cmd == 2)
		return demo->count; // FIX demo.lock
	if (cmd == 3)
		WRITE_ONCE(second, first);
	return READ_ONCE(second)->turns; // MISSING
}

static irqreturn_t demo_interrupt(int irq, void *data)
{
	events++; // FIX ring_lock
	return asleep ? IRQ_HANDLED : IRQ_NONE; // MISSING
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	first = kzalloc(sizeof(*first), GFP_KERNEL);
	if (!first)
		return -ENOMEM;
	spin_lock_init(&first->lock);
	second = kzalloc(sizeof(*second), GFP_KERNEL);
	if (!second)
		return -ENOMEM;
	spin_lock_init(&second->lock);
	if (request_irq(5, demo_interrupt, 0, "demo", &demo_misc))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
