/* Where this is a part of the kernel, others may call what it exports before its init runs. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int limit, runs;
};

static struct demo demo;
static int table[4];

static void demo_job(struct work_struct *work) // RACE!
{
	if (demo.runs < demo.limit) // RACE!
		demo.runs += table[demo.runs & 3]; // RACE!
}

void demo_start(void)
{
	schedule_work(&demo.work); // RACE!
}
EXPORT_SYMBOL(demo_start);

static int demo_open(struct inode *inode, struct file *file)
{
	schedule_work(&demo.work);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	int i;

	for (i = 0; i < 4; i++)
		table[i] = i; // RACE!
	INIT_WORK(&demo.work, demo_job); // RACE!
	demo.limit = 3; // RACE!
	return misc_register(&demo_misc);
}
module_init(demo_init);
