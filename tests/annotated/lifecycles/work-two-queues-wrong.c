/* A work that is queued on two queues runs twice at once: a queue only waits for what it runs itself. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/workqueue.h>

static struct workqueue_struct *first, *second;
static int runs;
static void demo_work(struct work_struct *work);
static DECLARE_WORK(work, demo_work);

static void demo_work(struct work_struct *unused)
{
	runs++; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	queue_work(cmd ? first : second, &work);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	first = alloc_workqueue("first", 0, 0);
	second = alloc_workqueue("second", 0, 0);
	return misc_register(&demo_misc);
}
module_init(demo_init);
