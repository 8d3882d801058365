/* A timer takes the lock; who holds it with interrupts on keeps bottom halves off his own CPU. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static DEFINE_SPINLOCK(lock);
static int events;
static void demo_timer(struct timer_list *timer);
static DEFINE_TIMER(timer, demo_timer);

static void demo_timer(struct timer_list *unused)
{
	spin_lock(&lock);
	events++; // NORACE
	spin_unlock(&lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spin_lock_bh(&lock);
	events = 0; // NORACE
	spin_unlock_bh(&lock);
	mod_timer(&timer, jiffies + HZ);
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
	return misc_register(&demo_misc);
}
module_init(demo_init);
