/* The last file frees the object, and the next open finds it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int users;
};

extern struct module this_module;
static struct demo *demo;

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&demo->lock); // RACE!
	demo->users++; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	mutex_lock(&demo->lock); // RACE!
	demo->users--; // RACE!
	mutex_unlock(&demo->lock);
	kfree(demo); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = &this_module,
	.open = demo_open,
	.release = demo_release,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	misc_deregister(&demo_misc);
}
module_exit(demo_exit);
