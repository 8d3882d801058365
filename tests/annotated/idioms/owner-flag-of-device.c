/* A flag of the device under its lock; who has it set may fill the buffer. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	bool busy;
	int used;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	file->private_data = demo;
	return 0;
}

static bool demo_claim(struct demo *demo)
{
	bool mine = false;

	spin_lock(&demo->lock);
	if (!demo->busy) { // NORACE
		demo->busy = true; // NORACE
		mine = true;
	}
	spin_unlock(&demo->lock);
	return mine;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	if (!demo_claim(demo))
		return -EBUSY;
	demo->used = len; // NORACE
	spin_lock(&demo->lock);
	demo->busy = false; // NORACE
	spin_unlock(&demo->lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
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
