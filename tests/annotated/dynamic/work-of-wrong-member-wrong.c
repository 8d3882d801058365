/* A work is taken for the other work in its object: what is locked is not the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/slab.h>

struct demo {
	struct work_struct first;
	spinlock_t lock;
	int runs;
	struct work_struct second;
};

static void demo_first(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, first);

	spin_lock(&demo->lock);
	demo->runs++; // RACE!
	spin_unlock(&demo->lock);
}

static noinline struct demo *demo_of(struct work_struct *work)
{
	return container_of(work, struct demo, first);
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	INIT_WORK(&demo->first, demo_first);
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	struct demo *other = demo_of(cmd ? &demo->first : &demo->second);

	schedule_work(&demo->first);
	spin_lock(&other->lock);
	demo->runs--; // RACE!
	spin_unlock(&other->lock);
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
