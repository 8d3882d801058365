/* An array of pointers to objects that is filled before anybody reads it; each object has a lock. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct port {
	spinlock_t lock;
	int events;
};

struct demo {
	struct port *ports[4];
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->ports[0] = kzalloc(sizeof(struct port), GFP_KERNEL);
	demo->ports[1] = kzalloc(sizeof(struct port), GFP_KERNEL);
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	unsigned int i = cmd & 3;

	if (!demo->ports[i])
		return -ENODEV;
	spin_lock(&demo->ports[i]->lock);
	demo->ports[i]->events++; // NORACE
	spin_unlock(&demo->ports[i]->lock);
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
