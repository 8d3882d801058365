/* Another object of the same kind is locked and given back meanwhile. If it is the same one, nobody gets there. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	struct demo *peer;
	int events;
};

static struct demo *latest;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->peer = inode->i_rdev ? demo : smp_load_acquire(&latest);
	file->private_data = demo;
	smp_store_release(&latest, demo);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	struct demo *peer = demo->peer;

	mutex_lock(&demo->lock);
	mutex_lock(&peer->lock);
	mutex_unlock(&peer->lock);
	demo->events++; // NORACE
	mutex_unlock(&demo->lock);
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
