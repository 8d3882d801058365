/* A rwlock for writing; every form excludes every other one. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rwlock.h>

static DEFINE_RWLOCK(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		write_lock(&lock);
		events++; // NORACE
		write_unlock(&lock);
		break;
	case 1:
		write_lock_bh(&lock);
		events++; // NORACE
		write_unlock_bh(&lock);
		break;
	case 2:
		write_lock_irq(&lock);
		events++; // NORACE
		write_unlock_irq(&lock);
		break;
	case 3:
		if (!write_trylock(&lock))
			return -EBUSY;
		events++; // NORACE
		write_unlock(&lock);
		break;
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
