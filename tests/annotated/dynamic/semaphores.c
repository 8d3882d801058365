/* A semaphore may count to more than one. (down_trylock gives 0 if it was taken, other than mutex_trylock.) */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/semaphore.h>

struct demo {
	struct semaphore sem;
	int events, others;
};

static struct demo demo = { .sem = { .count = 1 } };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (down_trylock(&demo.sem))
		return -EBUSY;
	demo.events++; // RACE: semaphores are no locks of the model, since they may start at any count
	up(&demo.sem);
	if (!down_trylock(&demo.sem))
		return -EBUSY;
	demo.others++; // RACE!
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
