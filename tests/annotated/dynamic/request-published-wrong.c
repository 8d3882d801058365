/* A request on the stack leads to the lock; it is known to another thread, who changes it. */
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
};

static struct demo a, b;
static struct request *current_request;

static noinline void request_run(struct request *request)
{
	struct demo *demo = READ_ONCE(request->demo);

	mutex_lock(&demo->lock);
	READ_ONCE(request->demo)->events++; // RACE!
	mutex_unlock(&demo->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct request request = { .demo = cmd ? &a : &b };

	WRITE_ONCE(current_request, &request);
	request_run(&request);
	WRITE_ONCE(current_request, NULL);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct request *request = READ_ONCE(current_request);

	if (request)
		WRITE_ONCE(request->demo, &a);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
