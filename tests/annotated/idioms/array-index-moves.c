/* The index moves on after the lock was given back. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

#define PORTS 8

struct port {
	int events;
	int errors;
};

static spinlock_t locks[PORTS];
static struct port ports[PORTS];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int i;

	for (i = 0; i + 1 < PORTS; ) {
		spin_lock(&locks[i]);
		ports[i].events++; // NORACE
		spin_unlock(&locks[i]);
		i++;
	}
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	unsigned int i = len % PORTS;

	spin_lock(&locks[i]);
	len = ports[i].events; // NORACE
	spin_unlock(&locks[i]);
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
