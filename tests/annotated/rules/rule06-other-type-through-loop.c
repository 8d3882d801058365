/* The same object in another member, by a variable of a loop and as another type. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct item {
	int a;
	int b;
	struct list_head list;
};

struct alias {
	int c;
	int d;
};

struct demo {
	struct mutex lock;
	struct item *item;
	struct alias *alias;
};

static DEFINE_MUTEX(a);

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);
	void *p;

	if (!demo || !item)
		return -ENOMEM;
	for (p = item; file->f_flags & 1; p = demo)
		if (file->f_flags & 2)
			break;
	demo->item = item; // RACE: behind the loop it is not seen that open has stored the session whenever it succeeds
	demo->alias = p; // RACE: behind the loop it is not seen that open has stored the session whenever it succeeds
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&a);
	if (demo->item) // RACE: behind the loop it is not seen that open has stored the session whenever it succeeds
		demo->item->b = 3; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	if (demo->alias) // RACE: behind the loop it is not seen that open has stored the session whenever it succeeds
		((struct item *)demo->alias)->b = 3; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
