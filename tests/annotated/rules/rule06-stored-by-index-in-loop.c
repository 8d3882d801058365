/* A loop gives one item to several holders, each under its own lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct item {
	int a;
	int b;
};

struct demo {
	struct mutex lock;
	struct item *item;
};

static struct demo demos[4];

static int demo_open(struct inode *inode, struct file *file)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);
	int i;

	if (!item)
		return -ENOMEM;
	for (i = 0; i < 4; i++) {
		mutex_lock(&demos[i].lock);
		demos[i].item = item; // NORACE
		mutex_unlock(&demos[i].lock);
	}
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = &demos[cmd & 3];

	mutex_lock(&demo->lock);
	if (demo->item) // NORACE
		demo->item->b = 3; // RACE!
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
	int i;

	for (i = 0; i < 4; i++)
		mutex_init(&demos[i].lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);
