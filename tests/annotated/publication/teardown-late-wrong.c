/* Others know the object before its work is queued: they may have waited for the work already. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int runs;
};

static struct demo *latest;

static void demo_work(struct work_struct *work)
{
	container_of(work, struct demo, work)->runs++; // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work);
	smp_store_release(&latest, demo);
	schedule_work(&demo->work);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = smp_load_acquire(&latest);

	if (!demo)
		return -ENODEV;
	cancel_work_sync(&demo->work);
	demo->runs = 0; // RACE!
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
