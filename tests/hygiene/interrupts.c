/* Locks that interrupts take: with interrupts off, and on; of a timer, with soft interrupts off; and where no interrupt can
   come yet, or any more. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static DEFINE_SPINLOCK(right);
static DEFINE_SPINLOCK(wrong);
static DEFINE_SPINLOCK(again);
static DEFINE_SPINLOCK(soft_right);
static DEFINE_SPINLOCK(soft_wrong);
static DEFINE_SPINLOCK(own);
static DEFINE_MUTEX(sleeps);
static struct timer_list tick;
static int count;

static irqreturn_t demo_interrupt(int irq, void *data)
{
	spin_lock(&right);
	count++;
	spin_unlock(&right);

	spin_lock(&wrong);
	count++;
	spin_unlock(&wrong);

	spin_lock(&again);
	count++;
	spin_unlock(&again);
	return IRQ_HANDLED;
}

static void demo_tick(struct timer_list *timer)
{
	spin_lock(&soft_right);
	count++;
	spin_unlock(&soft_right);

	spin_lock(&soft_wrong);
	count++;
	spin_unlock(&soft_wrong);

	/* Wrong, but in another way. */
	mutex_lock(&sleeps);
	count++;
	mutex_unlock(&sleeps);
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	unsigned long flags;

	spin_lock_irqsave(&right, flags);
	count++;
	spin_unlock_irqrestore(&right, flags);

	spin_lock(&wrong); // INTERRUPTED
	count++;
	spin_unlock(&wrong);

	local_irq_disable();
	spin_lock(&again);
	count++;
	spin_unlock(&again);
	local_irq_enable();

	spin_lock_bh(&soft_right);
	count++;
	spin_unlock_bh(&soft_right);

	spin_lock(&soft_wrong); // INTERRUPTED
	count++;
	spin_unlock(&soft_wrong);

	mutex_lock(&sleeps);
	count++;
	mutex_unlock(&sleeps);

	/* No interrupt takes it. */
	spin_lock(&own);
	count++;
	spin_unlock(&own);
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags;

	/* Off, and on again before the lock is taken. */
	spin_lock_irqsave(&right, flags);
	spin_unlock_irqrestore(&right, flags);
	spin_lock(&again); // INTERRUPTED
	count++;
	spin_unlock(&again);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	int err;

	/* No handler yet. */
	spin_lock(&wrong);
	count = 0;
	spin_unlock(&wrong);
	timer_setup(&tick, demo_tick, 0);
	err = request_irq(5, demo_interrupt, 0, "demo", &demo_misc);
	if (err)
		return err;
	mod_timer(&tick, jiffies + 1);
	return misc_register(&demo_misc);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	misc_deregister(&demo_misc);
	free_irq(5, &demo_misc);
	del_timer_sync(&tick);
	spin_lock(&wrong);
	count = 0;
	spin_unlock(&wrong);
}
module_exit(demo_exit);
