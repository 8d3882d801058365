/* The same tests, each the other way round. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int taken;
	bool ok;

	switch (cmd) {
	case 0:
		if (mutex_trylock(&lock) != 0)
			return -EBUSY;
		events = 0; // RACE!
		break;
	case 1:
		if (mutex_trylock(&lock) == 1)
			return -EBUSY;
		events = 1; // RACE!
		break;
	case 2:
		taken = mutex_trylock(&lock);
		if (taken > 0)
			return -EBUSY;
		events = 2; // RACE!
		break;
	case 3:
		ok = mutex_trylock(&lock);
		if (ok == true)
			return -EBUSY;
		events = 3; // RACE!
		break;
	case 4:
		taken = !!mutex_trylock(&lock);
		if (taken)
			return -EBUSY;
		events = 4; // RACE!
		break;
	default:
		if (!(arg || mutex_trylock(&lock)))
			return -EBUSY;
		events = 5; // RACE!
	}
	mutex_unlock(&lock);
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
