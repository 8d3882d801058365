/* The last of many cancels is of the request, which may have completed before. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/completion.h>

struct demo {
	struct miscdevice misc;
	struct mutex lock;
	struct work_struct work;
	struct completion done;
	int request;
	int answer;
	struct work_struct others[16];
};

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->answer = demo->request + 1; // RACE!
	complete(&demo->done);
}

static void demo_quiet(struct work_struct *work)
{
	cancel_work_sync(work);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);
	long answer;

	mutex_lock(&demo->lock);
	demo->request = cmd; // RACE!
	schedule_work(&demo->work);
	if (arg) {
		demo_quiet(&demo->others[0]);
		demo_quiet(&demo->others[1]);
		demo_quiet(&demo->others[2]);
		demo_quiet(&demo->others[3]);
		demo_quiet(&demo->others[4]);
		demo_quiet(&demo->others[5]);
		demo_quiet(&demo->others[6]);
		demo_quiet(&demo->others[7]);
		demo_quiet(&demo->others[8]);
		demo_quiet(&demo->others[9]);
		demo_quiet(&demo->others[10]);
		demo_quiet(&demo->others[11]);
		demo_quiet(&demo->others[12]);
		demo_quiet(&demo->others[13]);
		demo_quiet(&demo->others[14]);
		demo_quiet(&demo->others[15]);
		demo_quiet(&demo->work);
		mutex_unlock(&demo->lock);
		return 0;
	}
	wait_for_completion(&demo->done);
	answer = demo->answer; // RACE!
	mutex_unlock(&demo->lock);
	return answer;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	mutex_lock(&demo->lock);
	len = demo->answer; // RACE!
	mutex_unlock(&demo->lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	INIT_WORK(&demo->work, demo_work);
	init_completion(&demo->done);
	demo->misc.minor = MISC_DYNAMIC_MINOR;
	demo->misc.name = "demo";
	demo->misc.fops = &demo_fops;
	return misc_register(&demo->misc);
}
module_init(demo_init);
