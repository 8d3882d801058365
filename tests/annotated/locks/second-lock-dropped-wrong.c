/* demo_note gives back a lock that it has taken only sometimes: else it may be the one that its caller holds. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events;
	int notes;
};

static struct demo *latest;

static noinline void demo_note(struct demo *demo)
{
	if (READ_ONCE(demo->notes)) // RACE!
		mutex_lock(&demo->lock);
	demo->notes++; // RACE!
	mutex_unlock(&demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	demo_note(READ_ONCE(latest));
	demo->events++; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	file->private_data = demo;
	smp_store_release(&latest, demo);
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
