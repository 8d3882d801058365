/* The index is changed between the lock and the access. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

#define PORTS 8

struct port {
	spinlock_t lock;
	int events;
};

static struct port ports[PORTS];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int i = cmd % PORTS;

	spin_lock(&ports[i].lock);
	if (arg)
		i = (i + 1) % PORTS;
	ports[i].events++; // RACE!
	spin_unlock(&ports[i].lock);
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
