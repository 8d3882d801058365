/* Both members get one buffer, and each is written under a lock of its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct buffer {
	int fill;
};

struct demo {
	struct mutex lock, out_lock;
	struct buffer *in, *out;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->in = kzalloc(sizeof(*demo->in), GFP_KERNEL);
	demo->out = demo->in;
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	demo->in->fill = cmd; // RACE!
	mutex_unlock(&demo->lock);
	mutex_lock(&demo->out_lock);
	demo->out->fill = cmd; // RACE!
	mutex_unlock(&demo->out_lock);
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
