/* The work is started for each child, and waited for once. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/completion.h>
#include <linux/device.h>

int device_for_each_child(struct device *dev, void *data, int (*fn)(struct device *dev, void *data));

struct demo {
	struct miscdevice misc;
	struct mutex lock;
	struct work_struct work;
	struct completion done;
	int request;
	int answer;
};

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->answer = demo->request + 1; // RACE!
	complete(&demo->done);
}

static int demo_start(struct device *dev, void *data)
{
	struct demo *demo = data;

	schedule_work(&demo->work);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);
	long answer;

	mutex_lock(&demo->lock);
	demo->request = cmd; // RACE!
	device_for_each_child(demo->misc.parent, demo, demo_start);
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
