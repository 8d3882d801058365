/* What init does before it registers anything happens before anything else of the module runs, also what the registered starts. */
// verdict: race-free
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

static void demo_job(struct work_struct *work)
{
	if (demo.runs < demo.limit) // NORACE
		demo.runs += table[demo.runs & 3]; // NORACE
}

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
		table[i] = i; // NORACE
	INIT_WORK(&demo.work, demo_job); // NORACE
	demo.limit = 3; // NORACE
	return misc_register(&demo_misc);
}
module_init(demo_init);
