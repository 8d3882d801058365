/* A tty's lock; every form excludes every other one. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/tty.h>

static struct tty_struct the_tty;
#define tty (&the_tty)
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		tty_lock(tty);
		events++; // NORACE
		tty_unlock(tty);
		break;
	case 1:
		if (tty_lock_interruptible(tty))
			return -EBUSY;
		events++; // NORACE
		tty_unlock(tty);
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
