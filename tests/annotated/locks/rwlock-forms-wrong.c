/* A rwlock for writing; the results of the forms that may fail are taken for their opposites. */
// verdict: potential
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
		if (write_trylock(&lock))
			return -EBUSY;
		events++; // RACE!
		write_unlock(&lock);
		break;
	case 1:
		if (!read_trylock(&lock))
			return -EBUSY;
		events++; // RACE!
		read_unlock(&lock);
		break;
	case 2:
		read_lock_bh(&lock);
		events++; // RACE!
		read_unlock_bh(&lock);
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
