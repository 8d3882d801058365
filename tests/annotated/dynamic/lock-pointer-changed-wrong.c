/* The pointer to the lock is changed between the lock and the access, by who holds the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct core {
	struct mutex lock;
	int users;
};

struct demo {
	struct core *core;
	struct core *next;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	struct core *core = READ_ONCE(demo->core);

	mutex_lock(&core->lock);
	WRITE_ONCE(demo->core, demo->next); // RACE!
	demo->core->users++; // RACE!
	mutex_unlock(&core->lock);
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
