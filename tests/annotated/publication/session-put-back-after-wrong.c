/* The core puts the one misc device into each file it opens; open stores a session of its own, and puts that back at last. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int flags;
	struct miscdevice misc;
};

struct session {
	struct demo demo;
};

static int demo_open(struct inode *inode, struct file *file)
{
	void *found = file->private_data;
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	file->private_data = &session->demo.misc;
	file->private_data = found;
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	demo->flags++; // RACE!
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open, .release = demo_release };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->misc.minor = MISC_DYNAMIC_MINOR;
	demo->misc.name = "demo";
	demo->misc.fops = &demo_fops;
	return misc_register(&demo->misc);
}

static struct platform_driver demo_driver = { .probe = demo_probe };

static int __init demo_init(void)
{
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
