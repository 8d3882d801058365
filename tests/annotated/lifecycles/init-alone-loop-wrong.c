/* The first round of the loop registers something, and the second one goes on to fill the table. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	int limit, runs;
};

static void demo_job(struct work_struct *work);
static struct demo demo = { .work = { .func = demo_job }, .limit = 3 };
static int table[4];

static void demo_job(struct work_struct *work)
{
	if (demo.runs < demo.limit) // NORACE
		demo.runs += table[demo.runs & 3]; // RACE!
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

static struct miscdevice demos[4] = { { .name = "a", .fops = &demo_fops }, { .name = "b", .fops = &demo_fops } };

static int __init demo_init(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		table[i] = i; // RACE!
		misc_register(&demos[i]);
	}
	return 0;
}
module_init(demo_init);
