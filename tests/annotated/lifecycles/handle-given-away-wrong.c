/* A work gives itself to a function of which nothing is known: that may make it anew, and a second one runs. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int jobs;
};

void demo_reset(struct demo *demo);

static struct demo demo;

static void demo_job(struct work_struct *work) // RACE!
{
	struct demo *d = container_of(work, struct demo, work);

	demo_reset(d); // RACE!
	d->jobs++; // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	schedule_work(&demo.work); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	INIT_WORK(&demo.work, demo_job); // NORACE
	return misc_register(&demo_misc);
}
module_init(demo_init);
