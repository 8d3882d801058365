/* The core puts the one misc device into each file it opens; open replaces that by the device's own struct, the same for all files. */
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

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	demo->flags = 1; // RACE!
	file->private_data = demo;
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	return demo->flags; // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open, .read = demo_read };

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
