/* A work makes itself anew: whoever queues it then lets in a second one. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct demo { struct work_struct work; int x; };
static struct demo demo;
static DEFINE_MUTEX(lock);

static void job(struct work_struct *work) // RACE!
{
	struct demo *d = container_of(work, struct demo, work);

	mutex_lock(&lock);
	INIT_WORK(&d->work, job); // RACE!
	mutex_unlock(&lock);
	d->x++; // RACE!
}
static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	schedule_work(&demo.work);
	mutex_unlock(&lock);
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open };
static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };
static int __init demo_init(void)
{
	INIT_WORK(&demo.work, job);
	return misc_register(&demo_misc);
}
module_init(demo_init);
