/* Open hands a file to another table, of which the open function would have put something of its own into the file. */
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

static int demo_release(struct inode *inode, struct file *file)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	demo->flags++; // RACE!
	return 0;
}

static int other_open(struct inode *inode, struct file *file)
{
	struct demo *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	file->private_data = &session->misc;
	return 0;
}

static const struct file_operations other_fops = { .owner = THIS_MODULE, .open = other_open, .release = demo_release };
static struct miscdevice other = { .minor = MISC_DYNAMIC_MINOR, .name = "other", .fops = &other_fops };

static int demo_open(struct inode *inode, struct file *file)
{
	file->f_op = &other_fops;
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open };

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
	int error = misc_register(&other);

	return error ? error : platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
