/* The lock of the neighbour. */
// verdict: potential
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
	if (cmd + 1 >= PORTS)
		return -EINVAL;
	mutex_lock(&ports[cmd + (arg != 0)].lock);
	ports[cmd].events++; // RACE!
	mutex_unlock(&ports[cmd + (arg != 0)].lock);
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
