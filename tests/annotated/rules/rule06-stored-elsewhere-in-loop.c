/* A loop notes one item in several slots; but only one holder has it, for it is stored there once. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct item {
	int a;
	int b;
};

struct slot {
	struct item *newest;
};

struct demo {
	struct mutex lock;
	struct item *item;
	struct slot slots[4];
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);
	int i;

	if (!demo || !item)
		return -ENOMEM;
	demo->item = item; // NORACE
	for (i = 0; i < 4; i++)
		demo->slots[i].newest = item; // NORACE
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	if (demo->item) // NORACE
		demo->item->b = 3; // NORACE
	mutex_unlock(&demo->lock);
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
