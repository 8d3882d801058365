/* d->lock may point to g, so the unlock may give g back. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t *lock;
};

static DEFINE_SPINLOCK(g);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *d = file->private_data;

	spin_lock(&g);
	spin_unlock(d->lock);
	events++; // RACE!
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	static struct demo d = { &g };

	file->private_data = &d;
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
