/* A lock per element, at the same index. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

#define PORTS 8

struct port {
	struct mutex lock;
	int events;
};

static struct port ports[PORTS];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd >= PORTS)
		return -EINVAL;
	mutex_lock(&ports[cmd].lock);
	ports[cmd].events++; // NORACE
	mutex_unlock(&ports[cmd].lock);
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
