/* All work of one worker runs in its thread. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/miscdevice.h>

static struct kthread_worker *first, *second;
static struct kthread_work work;
static int runs;

static void demo_work(struct kthread_work *work)
{
	runs++; // NORACE
}

static int demo_open(struct inode *inode, struct file *file)
{
	kthread_queue_work(first, &work);
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	kthread_queue_work(first, &work);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.release = demo_release,
};

static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	kthread_init_work(&work, demo_work);
	return misc_register(&demo_misc);
}
module_init(demo_init);
