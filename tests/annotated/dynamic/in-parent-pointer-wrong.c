/* The child is written under the lock of a parent that is not its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct port;

struct demo {
	struct mutex lock;
	struct port *port;
};

struct port {
	struct demo *parent;
	int events;
};

static struct demo *latest;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct port *port = kzalloc(sizeof(*port), GFP_KERNEL);

	if (!demo || !port)
		return -ENOMEM;
	mutex_init(&demo->lock);
	port->parent = demo;
	demo->port = port;
	file->private_data = demo;
	WRITE_ONCE(latest, demo);
	return 0;
}

static noinline void port_count(struct port *port)
{
	struct demo *last = READ_ONCE(latest);

	mutex_lock(&last->lock);
	port->events++; // RACE!
	mutex_unlock(&last->lock);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	port_count(demo->port);
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
