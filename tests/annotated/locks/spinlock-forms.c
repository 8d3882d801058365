/* A spinlock; every form excludes every other one. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		spin_lock(&lock);
		events++; // NORACE
		spin_unlock(&lock);
		break;
	case 1:
		spin_lock_nested(&lock, 1);
		events++; // NORACE
		spin_unlock(&lock);
		break;
	case 2:
		spin_lock_bh(&lock);
		events++; // NORACE
		spin_unlock_bh(&lock);
		break;
	case 3:
		spin_lock_irq(&lock);
		events++; // NORACE
		spin_unlock_irq(&lock);
		break;
	case 4:
		if (!spin_trylock(&lock))
			return -EBUSY;
		events++; // NORACE
		spin_unlock(&lock);
		break;
	case 5:
		if (!spin_trylock_bh(&lock))
			return -EBUSY;
		events++; // NORACE
		spin_unlock_bh(&lock);
		break;
	case 6:
		if (!spin_trylock_irq(&lock))
			return -EBUSY;
		events++; // NORACE
		spin_unlock_irq(&lock);
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
