/* probe fills its own object when the file is already there. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/mutex.h>

struct demo {
	struct miscdevice misc;
	int limit;
};

static struct demo *demo_of(struct file *file)
{
	return container_of(file->private_data, struct demo, misc);
}

static int demo_open(struct inode *inode, struct file *file)
{
	return demo_of(file)->limit; // RACE!
}

static const struct file_operations demo_fops = {
	.open = demo_open,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	demo->misc.fops = &demo_fops;
	err = misc_register(&demo->misc);
	demo->limit = 3; // RACE!
	return err;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
