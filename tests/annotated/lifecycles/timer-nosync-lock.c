/* del_timer does not wait for the timer, and the lock keeps that out. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/timer.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

static DEFINE_MUTEX(mutex);
static DEFINE_SPINLOCK(lock);
static struct timer_list timer;
static int ticks;

static void demo_tick(struct timer_list *t)
{
	spin_lock(&lock);
	ticks++; // NORACE
	spin_unlock(&lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&mutex);
	del_timer(&timer);
	spin_lock_bh(&lock);
	ticks = 0; // NORACE
	spin_unlock_bh(&lock);
	mod_timer(&timer, jiffies + HZ);
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
	timer_setup(&timer, demo_tick, 0);
	return misc_register(&demo_misc);
}
module_init(demo_init);
