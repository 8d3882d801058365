/* Another function is put into a work while the old one may run: that it is marked does not help. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/workqueue.h>

struct demo { struct work_struct work; int x; };
static struct demo demo;

static void job(struct work_struct *work) // RACE!
{
	demo.x++; // MISSED: reported where the function is changed
}

static void job2(struct work_struct *work) // RACE!
{
	demo.x++; // MISSED: reported where the function is changed
}

static int demo_open(struct inode *inode, struct file *file)
{
	WRITE_ONCE(demo.work.func, job2); // RACE!
	schedule_work(&demo.work);
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open };
static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };
static int __init demo_init(void)
{
	INIT_WORK(&demo.work, job);
	schedule_work(&demo.work);
	return misc_register(&demo_misc);
}
module_init(demo_init);
