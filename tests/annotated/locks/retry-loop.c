/* The lock is held when the loop ends, however often it was dropped. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lock);
static int events;
void relax(void);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spin_lock(&lock);
	while (events > 10) { // NORACE
		spin_unlock(&lock);
		relax();
		spin_lock(&lock);
	}
	events++; // NORACE
	spin_unlock(&lock);
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
