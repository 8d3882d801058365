/* An ioctl gives the object another private half. */
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
	int events;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct core *core = kzalloc(sizeof(*core), GFP_KERNEL);

	if (!demo || !core)
		return -ENOMEM;
	mutex_init(&core->lock);
	demo->core = core;
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	struct core *core;

	if (cmd > 1) {
		core = kzalloc(sizeof(*core), GFP_KERNEL);
		demo->core = core; // RACE!
	}
	mutex_lock(&demo->core->lock); // RACE!
	demo->events++; // RACE!
	demo->core->users = cmd; // RACE!
	mutex_unlock(&demo->core->lock); // RACE!
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
