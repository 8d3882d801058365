/* The wrapper locks only if a parameter says so. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	int events;
};

static struct demo demos[2];

static noinline struct demo *demo_get(unsigned int which, unsigned long *flags)
{
	struct demo *demo = &demos[which & 1];

	if (which < 2)
		spin_lock_irqsave(&demo->lock, *flags);
	return demo;
}

static noinline void demo_put(struct demo *demo, unsigned long flags)
{
	spin_unlock_irqrestore(&demo->lock, flags);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags;
	struct demo *demo = demo_get(cmd, &flags);

	demo->events++; // RACE!
	demo_put(demo, flags);
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
