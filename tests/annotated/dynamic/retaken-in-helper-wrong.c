/* The helper accesses meanwhile. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

struct demo {
	spinlock_t lock;
	int events;
	int sleeps;
};

static noinline void demo_sleep(struct demo *demo)
{
	spin_unlock_irq(&demo->lock);
	demo->sleeps++; // RACE!
	schedule();
	spin_lock_irq(&demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	spin_lock_irq(&demo->lock);
	while (demo->events < cmd) // NORACE
		demo_sleep(demo);
	demo->events -= cmd; // NORACE
	spin_unlock_irq(&demo->lock);
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
