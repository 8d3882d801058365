/* One work of an object starts the other one, after all has been set. */
// verdict: race-free
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct first;
	struct work_struct second;
	int limit;
};

static void demo_second(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, second);

	demo->limit++; // NORACE
}

static void demo_first(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, first);

	schedule_work(&demo->second);
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->first, demo_first);
	INIT_WORK(&demo->second, demo_second);
	demo->limit = 4; // NORACE
	schedule_work(&demo->first);
	file->private_data = demo;
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
