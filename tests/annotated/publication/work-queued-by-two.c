/* Two ioctls queue the work, and each writes what it reads before it does. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/workqueue.h>

static int request;
static int total;
static void demo_work(struct work_struct *unused);
static DECLARE_WORK(work, demo_work);

static void demo_work(struct work_struct *unused)
{
	WRITE_ONCE(total, request); // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	request = cmd; // RACE!
	schedule_work(&work);
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
	return misc_register(&demo_misc);
}
module_init(demo_init);
