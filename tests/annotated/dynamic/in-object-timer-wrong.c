/* The timer writes after it has given the lock back. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct demo {
	spinlock_t lock;
	struct timer_list timer;
	int ticks;
};

static void demo_tick(struct timer_list *timer)
{
	struct demo *demo = from_timer(demo, timer, timer);

	spin_lock(&demo->lock);
	spin_unlock(&demo->lock);
	demo->ticks++; // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	timer_setup(&demo->timer, demo_tick, 0);
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	spin_lock_bh(&demo->lock);
	demo->ticks = cmd; // RACE!
	spin_unlock_bh(&demo->lock);
	mod_timer(&demo->timer, arg);
	return 0;
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
