/* Who writes to a file of debugfs makes the flag free, whoever has it. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/bitops.h>
#include <linux/debugfs.h>

void debugfs_create_u32(const char *name, umode_t mode, struct dentry *parent, u32 *value);

struct demo {
	int pad;
	u32 busy;
	int events;
};

static struct demo *demo;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmpxchg(&demo->busy, 0, 1) != 0)
		return -EBUSY;
	demo->events += cmd; // RACE!
	xchg(&demo->busy, 0);
	return 0;
}

static int demo_start(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	debugfs_create_u32("busy", 0644, NULL, &demo->busy);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	int error = demo_start();

	return error ? error : misc_register(&demo_misc);
}
module_init(demo_init);
