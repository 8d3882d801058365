/* probe of a second device changes what is common to all, while the first one is in use. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/mutex.h>

struct demo {
	struct miscdevice misc;
};

static int limit;

static int demo_open(struct inode *inode, struct file *file)
{
	return limit; // RACE!
}

static const struct file_operations demo_fops = {
	.open = demo_open,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	demo->misc.fops = &demo_fops;
	limit = 3; // RACE!
	err = misc_register(&demo->misc);
	return err;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
