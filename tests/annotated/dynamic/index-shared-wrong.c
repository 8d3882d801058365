/* The index is in memory that others change between the lock and the access. */
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
static unsigned int current_port;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spin_lock(&ports[READ_ONCE(current_port) % PORTS].lock);
	ports[READ_ONCE(current_port) % PORTS].events++; // RACE!
	spin_unlock(&ports[READ_ONCE(current_port) % PORTS].lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	WRITE_ONCE(current_port, len);
	return 0;
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
