/* The index moves on in a loop, the lock stays that of the first. */
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
	unsigned int i = 0;

	spin_lock(&ports[i].lock);
	for (i = 0; i < PORTS; i++)
		ports[i].events++; // RACE!
	spin_unlock(&ports[0].lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	unsigned int i = len % PORTS;

	spin_lock(&ports[i].lock);
	len = ports[i].events; // RACE!
	spin_unlock(&ports[i].lock);
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
