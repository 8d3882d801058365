/* One struct is made as a copy of another, and has its pointers. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct item {
	int a;
	int b;
};

struct demo {
	spinlock_t lock;
	struct item *item;
};

static DEFINE_SPINLOCK(lock);
static struct demo *template;

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);
	char *buffer = kzalloc(2 * sizeof(*demo), GFP_KERNEL);

	if (!demo || !item || !buffer)
		return -ENOMEM;
	/* What nobody else ever gets to see is none of the structs. */
	memcpy(buffer, file, sizeof(*demo));
	kfree(buffer);
	demo->item = item;
	spin_lock(&lock);
	if (template)
		*demo = *template; // RACE!
	else
		template = demo;
	spin_unlock(&lock);
	spin_lock_init(&demo->lock); // RACE!
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	spin_lock(&demo->lock); // RACE!
	demo->item->a++; // RACE!
	spin_unlock(&demo->lock);
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
