/* Each CPU has a lock of its own, and all have one counter. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

static spinlock_t cpu_lock;
static int events, per_cpu_events;

static inline spinlock_t *this_lock(void)
{
	unsigned long off;

	asm("mov %%gs:0, %0" : "=r"(off));
	return (spinlock_t *)((unsigned long)&cpu_lock + off);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spinlock_t *lock = this_lock();

	spin_lock(lock);
	events++; // RACE!
	spin_unlock(lock);
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
