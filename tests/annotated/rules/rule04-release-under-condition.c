/* The lock is given back if an unknown function says so. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lock);
static int events;
bool demo_ask(void);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	bool drop = demo_ask();

	spin_lock(&lock);
	if (drop)
		spin_unlock(&lock);
	events++; // RACE!
	if (!drop) {
		events--; // RACE!
		spin_unlock(&lock);
	}
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
