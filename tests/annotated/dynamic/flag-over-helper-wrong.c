/* The flag starts as something else than false. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events;
};

struct request {
	struct demo *demo;
	bool locked;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	file->private_data = demo;
	return 0;
}

static noinline void request_end(struct request *request)
{
	if (request->locked)
		mutex_unlock(&request->demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct request request = { .demo = file->private_data };

	request.locked = arg == 7;
	if (cmd > 2) {
		mutex_lock(&request.demo->lock);
		request.locked = true;
	}
	if (request.locked)
		request.demo->events++; // RACE!
	request_end(&request);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
