/* Readers that go on when they have not got the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rwsem.h>

static DECLARE_RWSEM(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		if (!down_read_killable(&lock))
			return -EBUSY;
		arg = events; // RACE!
		up_read(&lock);
		return arg;
	case 1:
		if (!down_read_interruptible(&lock))
			return -EBUSY;
		arg = events; // RACE!
		up_read(&lock);
		return arg;
	case 2:
		if (down_read_trylock(&lock))
			return -EBUSY;
		arg = events; // RACE!
		up_read(&lock);
		return arg;
	}
	down_write(&lock);
	events++; // RACE!
	up_write(&lock);
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
